#pragma once

#include <csignal>

// Ends a measuring loop at no cost to it: SIGALRM sets a flag, and keeps interrupting blocked calls until the
// loop has seen it.
namespace kilter::bench {

extern volatile std::sig_atomic_t time_is_up;

// From now on. One at a time in a process.
void set_timer(double seconds);
void cancel_timer();

}  // namespace kilter::bench
