#pragma once

#include <optional>
#include <string_view>

namespace kilter::suite {

// Nanoseconds in one "ns", "us" (also with a micro sign), "ms", "s", "ps", "m"(inute); nullopt for another
// unit.
[[nodiscard]] std::optional<double> time_unit_ns(std::string_view unit);

}  // namespace kilter::suite
