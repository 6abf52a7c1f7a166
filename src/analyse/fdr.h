#pragma once

#include <span>
#include <vector>

// False discovery rates. Pure.
namespace kilter::analyse {

// Benjamini-Hochberg: the rate at which each p would just be rejected; q[i] <= x is "rejected at rate x".
// What is no number counts as 1.
[[nodiscard]] std::vector<double> benjamini_hochberg(std::span<const double> p);

// The same where metrics say the same thing (correlated.h): `groups[i]` is the index of the metric that
// speaks for i, itself mostly. Only those count, and every other metric is held to the limit they set.
[[nodiscard]] std::vector<double> benjamini_hochberg(std::span<const double> p,
                                                     std::span<const std::size_t> groups);

}  // namespace kilter::analyse
