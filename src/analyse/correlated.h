#pragma once

#include <cstddef>
#include <span>
#include <vector>

// Metrics that are copies of each other in other units (a rate beside its count, a level beside its share):
// they would count several times in a false discovery rate. What is identical is merged before, by copies.h.
// Pure.
namespace kilter::analyse {

inline constexpr double kCopyCorrelation = 0.98;

// The runs of one metric, side by side and build by build. Value i of block k is of the same run in all
// metrics; NaN where the run lacks the metric.
using RunBlocks = std::span<const std::span<const double>>;

// For every metric the index of the one that speaks for it: the first of those that it is correlated with
// (|r| over the runs, each block about its own mean, so that a common change is no correlation). With few
// runs |r| must be so large that chance makes less than one such pair in a hundred reports. Metrics with
// other runs, with too few (2 more than blocks at least) or without any scatter speak for themselves.
[[nodiscard]] std::vector<std::size_t> correlated_groups(std::span<const RunBlocks> metrics);

}  // namespace kilter::analyse
