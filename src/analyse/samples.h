#pragma once

#include <span>

// Plain statistics of one cell. Pure; all in the unit of the samples.
namespace kilter::analyse {

// Compensated (Kahan) sum, as LKP's; infinite when it overflows.
[[nodiscard]] double compensated_sum(std::span<const double> values);
// 0 when there is no sample.
[[nodiscard]] double mean(std::span<const double> values);
// Population standard deviation; -1 when there are fewer than two samples.
[[nodiscard]] double population_stddev(std::span<const double> values, double average);

}  // namespace kilter::analyse
