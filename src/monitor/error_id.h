#pragma once

#include <array>
#include <string>
#include <string_view>

// Names for kernel messages that stay the same from run to run.
namespace kilter::monitor {

// By their numbers.
inline constexpr std::array<std::string_view, 8> kLogLevels = {"emerg", "alert",  "crit", "err",
                                                               "warn",  "notice", "info", "debug"};

// A line of a kernel log in any of its forms, taken apart: "kern  :err   : [   13.7] text",
// "<3>[   18.3][    T1] text", "[   43.1][  T336] text", "text".
struct LogLine {
  std::string_view facility;   // "kern", "user"; empty when the line does not say
  int level = -1;              // 0 emerg ... 7 debug; -1 when the line does not say
  std::string_view timestamp;  // "13.708876"; empty when there is none
  std::string_view text;
};
[[nodiscard]] LogLine read_log_line(std::string_view line);

// The text of a message as LKP's error id: numbers, addresses and device numbers become '#', blanks '_'.
// "" when nothing is left. Contains no blank.
[[nodiscard]] std::string error_id(std::string_view text);
// A pattern that finds such messages again: words that vary become ".*".
[[nodiscard]] std::string error_pattern(std::string_view text);

}  // namespace kilter::monitor
