#pragma once

#include <string>
#include <string_view>

namespace kilter::execute {

// What a sysfs or procfs file says, in the form it can be written back: "always [madvise] never\n" ->
// "madvise", "1\n" -> "1".
[[nodiscard]] std::string settable_value(std::string_view text);

}  // namespace kilter::execute
