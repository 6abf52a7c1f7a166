#pragma once

#include "os/process.h"

#include <string>

namespace kilter::execute {

// What the whole workload used, all iterations and copies together.
struct TimeSummary {
  std::string command;  // as on a shell line
  os::Usage usage;
  double elapsed = 0;  // seconds
  int exit_status = 0;
  int signal = 0;
};

// The text that GNU `time -v` would print, which LKP keeps as `<program>.time`.
[[nodiscard]] std::string time_text(const TimeSummary& summary);

}  // namespace kilter::execute
