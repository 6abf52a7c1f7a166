#pragma once

#include "analyse/column.h"

#include <string_view>
#include <unordered_set>

namespace kilter::analyse {

// `time.*` sums `<test>.time.*` over a run's tests: beside those it says nothing new.
class TimeCopies {
 public:
  explicit TimeCopies(const KeyTable& keys) {
    for (std::size_t index = 0; index < keys.size(); ++index) {
      const std::string_view key = keys.key(index);
      if (const std::size_t at = key.find(".time."); at != std::string_view::npos)
        seen_.insert(key.substr(at + 1));
    }
  }
  [[nodiscard]] bool contains(std::string_view key) const {
    return key.starts_with("time.") && seen_.contains(key);
  }

 private:
  std::unordered_set<std::string_view> seen_;
};

}  // namespace kilter::analyse
