#pragma once

#include "base/result.h"

#include <bitset>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kilter::analyse {

// A regular expression over metric keys, of the few forms our lists use: literals, `.`, `\x`, `[a-z]`,
// `[^_]`, groups, `|`, `?`, `*`, `+`, `^`, `$`. It costs microseconds to compile (std::regex: some hundred),
// and its matching time is bounded by pattern size times key length, whatever the key.
class Pattern {
 public:
  enum class Mode {
    search,  // anywhere in the key
    start,   // from the key's first character
    full,    // the whole key
  };
  // Fails on what is not of these forms, naming the pattern and the position.
  [[nodiscard]] static Result<Pattern> compile(std::string_view text, Mode mode);

  [[nodiscard]] bool matches(std::string_view key) const;
  // Every matching key starts with this; "" when there is no such text.
  [[nodiscard]] const std::string& prefix() const { return prefix_; }

  // How the compiled program looks; used by the compiler.
  struct Instruction {
    enum class Op : std::uint8_t { literal, any, set, split, jump, begin, end, match };
    Op op = Op::match;
    char byte = 0;
    std::uint32_t first = 0;   // split: tried first; jump: target; set: index
    std::uint32_t second = 0;  // split: tried next
  };

 private:
  [[nodiscard]] bool run(std::string_view key, std::size_t from) const;
  void find_shortcuts();

  std::vector<Instruction> program_;
  std::vector<std::bitset<256>> sets_;
  std::string prefix_;
  std::string needed_;           // a text that every matching key contains, beside the prefix
  bool prefix_decides_ = false;  // the prefix alone is the whole condition
  Mode mode_ = Mode::search;
};

}  // namespace kilter::analyse
