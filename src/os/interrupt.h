#pragma once

// Ctrl-C and SIGTERM as a question: long loops and ProcessRunner::run ask, nothing is torn down in a handler.
namespace kilter::os {

// Installs handlers for SIGINT, SIGTERM and SIGHUP that set a flag (a second SIGINT within a second still
// only sets it) and ignores SIGPIPE. Call once, in main.
void catch_interrupts();
[[nodiscard]] bool interrupted();
// A descriptor that becomes readable when an interrupt arrives, for poll(2); -1 before catch_interrupts().
[[nodiscard]] int interrupt_fd();
// For tests and for work that goes on after an interrupt was handled.
void clear_interrupt();

}  // namespace kilter::os
