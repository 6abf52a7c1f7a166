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

}  // namespace kilter::monitor
