#include "os/interrupt.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>

namespace kilter::os {
namespace {

std::atomic<bool> flag = false;
int pipe_ends[2] = {-1, -1};

void on_signal(int) {
  const int saved = errno;
  flag = true;
  const char byte = 0;
  [[maybe_unused]] const ssize_t ignored = ::write(pipe_ends[1], &byte, 1);
  errno = saved;
}

}  // namespace

void catch_interrupts() {
  if (pipe_ends[0] >= 0 || ::pipe2(pipe_ends, O_CLOEXEC | O_NONBLOCK) != 0) return;
  struct sigaction action{};
  action.sa_handler = on_signal;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU}) ::sigaction(signal, &action, nullptr);
  action.sa_handler = SIG_IGN;
  // Errors of write(2) are told; the others would end kilter without an undoing.
  for (const int signal : {SIGPIPE, SIGXFSZ, SIGUSR1, SIGUSR2, SIGALRM})
    ::sigaction(signal, &action, nullptr);
}

bool interrupted() {
  return flag;
}
int interrupt_fd() {
  return pipe_ends[0];
}

void clear_interrupt() {
  char bytes[16];
  while (pipe_ends[0] >= 0 && ::read(pipe_ends[0], bytes, sizeof bytes) > 0) {
  }
  flag = false;
}

}  // namespace kilter::os
