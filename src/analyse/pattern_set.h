#pragma once

#include "analyse/pattern.h"
#include "base/result.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace kilter::analyse {

// A list of patterns, asked for the first that matches. Patterns lie in buckets by their first byte, so that
// a key meets only the few that can match it.
class PatternSet {
 public:
  explicit PatternSet(Pattern::Mode mode) : mode_(mode) {}

  [[nodiscard]] Status add(std::string_view pattern);

  [[nodiscard]] bool matches(std::string_view key) const { return first(key).has_value(); }
  // Index (in the order of adding) of the first pattern that matches.
  [[nodiscard]] std::optional<std::size_t> first(std::string_view key) const;
  [[nodiscard]] std::size_t size() const { return patterns_.size(); }

 private:
  [[nodiscard]] std::size_t first_of(const std::vector<std::uint32_t>& bucket, std::string_view key) const;

  Pattern::Mode mode_;
  std::vector<Pattern> patterns_;
  std::array<std::vector<std::uint32_t>, 256> by_byte_;
  std::vector<std::uint32_t> anywhere_;  // no first byte known
};

}  // namespace kilter::analyse
