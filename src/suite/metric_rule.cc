#include "suite/metric_rule.h"

namespace kilter::suite {

// Greedy with one point to go back to: linear for the usual one or two stars.
bool glob_match(std::string_view pattern, std::string_view text) {
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos;
  std::size_t resume = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

const MetricRule* find_rule(std::span<const MetricRule> rules, std::string_view key) {
  for (const MetricRule& rule : rules)
    if (glob_match(rule.pattern, key)) return &rule;
  return nullptr;
}

}  // namespace kilter::suite
