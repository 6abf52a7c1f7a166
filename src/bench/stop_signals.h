#pragma once

#include <csignal>

namespace kilter::bench {

inline constexpr int kStopSignals[] = {SIGINT, SIGTERM, SIGHUP};

// From now on they end the program with one line on stderr and exit code 130. Its processes die with it
// (PR_SET_PDEATHSIG) and leave the signals to it: Ctrl-C reaches all of them.
void end_at_stop_signals();

}  // namespace kilter::bench
