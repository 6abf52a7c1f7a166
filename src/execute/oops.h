#pragma once

#include <optional>
#include <span>
#include <string>

namespace kilter::execute {

// The first kernel message that means that results since then are not to be trusted: an oops, a BUG, a
// lockup, a panic. Warnings are for the kmsg monitor.
[[nodiscard]] std::optional<std::string> find_oops(std::span<const std::string> messages);

}  // namespace kilter::execute
