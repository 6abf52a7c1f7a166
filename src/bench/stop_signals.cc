#include "bench/stop_signals.h"

#include <string_view>
#include <unistd.h>

namespace kilter::bench {
namespace {

constexpr int kInterruptedCode = 130;

pid_t stopped_program = 0;

void end_program(int) {
  if (::getpid() != stopped_program) return;
  constexpr std::string_view kLine = "kilter-bench: interrupted\n";
  [[maybe_unused]] const ssize_t ignored = ::write(STDERR_FILENO, kLine.data(), kLine.size());
  ::_exit(kInterruptedCode);
}

}  // namespace

void end_at_stop_signals() {
  stopped_program = ::getpid();
  struct sigaction action{};
  action.sa_handler = end_program;
  action.sa_flags = SA_RESTART;
  for (const int number : kStopSignals) ::sigaction(number, &action, nullptr);
}

}  // namespace kilter::bench
