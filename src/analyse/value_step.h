#pragma once

#include <initializer_list>
#include <span>

namespace kilter::analyse {

// The largest of 1, .1, .01 .. 1e-9 that all values are whole multiples of: what they were rounded to. 0 when
// there is none, which is the rule for anything computed. Pure.
[[nodiscard]] double common_step(std::initializer_list<std::span<const double>> groups);

}  // namespace kilter::analyse
