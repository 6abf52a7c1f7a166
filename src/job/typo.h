#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace kilter::job {

// The one of `known` that `word` is a slip of: one letter missing, added, wrong or two swapped; two such
// slips from eight letters on. Stricter than nearest(), since a job may hold keys nobody knows.
[[nodiscard]] std::optional<std::string> slip_of(std::string_view word, std::span<const std::string> known);

}  // namespace kilter::job
