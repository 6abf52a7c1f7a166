#pragma once

#include <string>
#include <string_view>

namespace kilter::report {

// Foreign text on one line: no control characters, no line ends, valid UTF-8, at most `limit` bytes ("..."
// marks a cut).
[[nodiscard]] std::string one_line(std::string_view text, std::size_t limit = 1000);

}  // namespace kilter::report
