#pragma once

#include "model/series.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kilter::suite {

// What is known of the keys (without program prefix) that match `pattern`: '*' stands for any text.
struct MetricRule {
  std::string pattern;
  model::MetricInfo info;
};

[[nodiscard]] bool glob_match(std::string_view pattern, std::string_view text);
// The first rule that matches, or nullptr.
[[nodiscard]] const MetricRule* find_rule(std::span<const MetricRule> rules, std::string_view key);

}  // namespace kilter::suite
