#pragma once

#include "base/result.h"

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// The flags of one command as data: one table row a flag, and the help printed from the same rows.
// (CLI11 costs milliseconds of start-up and megabytes of binary, which a workload has no use for.)
namespace kilter::bench {

using Args = std::span<const std::string_view>;

struct Flag {
  std::string_view name;   // "--tasks"; empty: only the letter
  char letter = 0;         // 't' for -t, 0: none
  std::string_view value;  // shown in the help, "N"; empty: a switch
  std::string_view help;
  std::function<Status(std::string_view)> take;  // an error names what it expects: "a number from 1 to 2048"
};

// Reads flags ("--name value", "--name=value", "-n value", "-nvalue") and gives back the other words.
// After "--" every word is one of those. Errors name the flag, with a likely spelling where there is one.
[[nodiscard]] Result<std::vector<std::string_view>> parse_flags(std::span<const Flag> flags, Args args);
// Usage error when there are any.
[[nodiscard]] Status no_words(std::span<const std::string_view> words);
// A hint for an unknown word: the likely spelling, else `otherwise`.
[[nodiscard]] std::string suggest(std::string_view word, std::span<const std::string> candidates,
                                  std::string_view otherwise);
// One line a flag, aligned.
[[nodiscard]] std::string flag_help(std::span<const Flag> flags);

// What a flag stores. The target must outlive the parse.
template <class T>
struct Range {
  T min;
  T max;
};
using Take = std::function<Status(std::string_view)>;
[[nodiscard]] Take set_true(bool& target);
[[nodiscard]] Take set_false(bool& target);
[[nodiscard]] Take text(std::string& target);
[[nodiscard]] Take whole(int& target, Range<int> range);
[[nodiscard]] Take real(double& target, Range<double> range);
// "1,2,16"
[[nodiscard]] Take whole_list(std::vector<unsigned>& target, Range<int> range);
// "1024" or "10K"
[[nodiscard]] Take bytes(int& target, Range<int> range);

}  // namespace kilter::bench
