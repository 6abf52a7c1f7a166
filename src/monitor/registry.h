#pragma once

#include "monitor/monitor.h"

#include <span>
#include <string>
#include <string_view>

namespace kilter::monitor {

// Every monitor and every parser, by name.
[[nodiscard]] std::span<const Monitor> monitors();
// nullptr when there is none. Names of time recordings ("stress-ng.time") find "time".
[[nodiscard]] const Monitor* find_monitor(std::string_view name);

// Can this monitor be recorded here? The error is the reason why not.
[[nodiscard]] Status available(const Monitor& monitor, const os::Root& root);

// Seconds between samples: the option "interval" (10, 0.5, 100ms), else the monitor's own. An Error when it
// is no time of at least 10 ms.
[[nodiscard]] Result<double> interval_of(const Monitor& monitor, const Options& options);

}  // namespace kilter::monitor
