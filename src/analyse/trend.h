#pragma once

#include <optional>
#include <span>

// Do the values wander with the order in which they were measured? A machine that warms up, a disk that
// fills, a benchmark that gets slower with every run. Pure.
namespace kilter::analyse {

struct Trend {
  double per_run = 0;  // relative to the level: .01 is 1 % more with every run
  double p = 1;        // two-sided, of no trend
};
// Within the sides, each about its own level; values in the order of their runs. nullopt with fewer than six
// runs in all, or without any scatter.
[[nodiscard]] std::optional<Trend> trend_of(std::span<const double> a, std::span<const double> b);

}  // namespace kilter::analyse
