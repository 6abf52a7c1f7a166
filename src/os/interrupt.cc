#include "os/interrupt.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <string_view>
#include <unistd.h>

namespace kilter::os {
namespace {

constexpr int kInterruptedCode = 130;

std::atomic<bool> flag = false;
std::atomic<bool> ends_program = false;
int pipe_ends[2] = {-1, -1};

[[noreturn]] void end_program() {
  constexpr std::string_view kLine = "kilter: interrupted\n";
  [[maybe_unused]] const ssize_t ignored = ::write(STDERR_FILENO, kLine.data(), kLine.size());
  ::_exit(kInterruptedCode);
}

void on_signal(int) {
  if (ends_program) end_program();
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

EndAtInterrupt::EndAtInterrupt() {
  ends_program = true;
  if (flag) end_program();
}

EndAtInterrupt::~EndAtInterrupt() {
  ends_program = false;
}

void clear_interrupt() {
  char bytes[16];
  while (pipe_ends[0] >= 0 && ::read(pipe_ends[0], bytes, sizeof bytes) > 0) {
  }
  flag = false;
}

}  // namespace kilter::os
