#pragma once

// Ctrl-C and SIGTERM as a question: long loops and ProcessRunner::run ask, nothing is torn down in a handler.
namespace kilter::os {

// Installs handlers for SIGINT, SIGTERM and SIGHUP that set a flag (a second SIGINT within a second still
// only sets it) and ignores SIGPIPE. Call once, in main.
void catch_interrupts();
[[nodiscard]] bool interrupted();
// A descriptor that becomes readable when an interrupt arrives, for poll(2); -1 before catch_interrupts().
[[nodiscard]] int interrupt_fd();

// While one lives an interrupt ends the program at once, with a line on stderr and exit code 130: for work
// that changes nothing, where there is nothing to tear down and no loop that could ask.
class EndAtInterrupt {
 public:
  EndAtInterrupt();
  ~EndAtInterrupt();
  EndAtInterrupt(const EndAtInterrupt&) = delete;
  EndAtInterrupt& operator=(const EndAtInterrupt&) = delete;
};

// For tests and for work that goes on after an interrupt was handled.
void clear_interrupt();

}  // namespace kilter::os
