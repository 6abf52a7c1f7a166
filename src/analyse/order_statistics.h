#pragma once

#include <cstddef>
#include <span>
#include <vector>

// Medians and what they cost. Pure. Samples are finite.
namespace kilter::analyse {

// Those that are numbers, in their order.
[[nodiscard]] std::vector<double> finite_values(std::span<const double> values);

// The middle value, the mean of the two middle ones of an even count. Reorders `values`; 0 when empty.
[[nodiscard]] double median_in_place(std::span<double> values);
[[nodiscard]] double median(std::span<const double> values);
// `probability` 0..1, linear between order statistics (numpy's default). Reorders `values`; 0 when empty.
[[nodiscard]] double quantile_in_place(std::span<double> values, double probability);

// The Hodges-Lehmann shift: the median of all differences b_j - a_i. Exact for any size; memory and time grow
// with the sum of the sizes, not with their product. 0 when either is empty.
[[nodiscard]] double median_difference(std::span<const double> a, std::span<const double> b);

// For n normal values of variance 1:
[[nodiscard]] double median_variance(std::size_t n);  // of their median
[[nodiscard]] double median_sum_squares(
    std::size_t n);  // expected sum of squared distances from their median
// Variance of the Hodges-Lehmann shift over that of the difference of means, `n` in the smaller sample.
[[nodiscard]] double shift_inflation(std::size_t n);

}  // namespace kilter::analyse
