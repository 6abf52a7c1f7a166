#pragma once

#include "base/result.h"

#include <string>
#include <string_view>

namespace kilter::monitor {

// The "key: value" lines that LKP's parser prints for this recording, without the monitor's name; to be read
// by analyse/dump_stat.h. `name` is the recording's name: "vmstat", "stress-ng.time". An error when there is
// no such parser. Never fails on the text itself: what is not understood gives no line.
[[nodiscard]] Result<std::string> parser_lines(std::string_view name, std::string_view raw);

}  // namespace kilter::monitor
