#pragma once

#include <cstddef>
#include <span>
#include <vector>

// How much a series scatters about its levels, whatever its steps and outliers. Pure; values are finite.
//
// Source of the scale: first differences (von Neumann), by their median; of the long-run variance: an AR(1)
// model of the residuals, whose lag-1 correlation is corrected for the means that were fitted (Kendall 1954).
namespace kilter::analyse {

// Standard deviation of one point from the median absolute difference of neighbours, which a step or a spike
// hardly moves. Where more than half of the differences are 0 (integers that move rarely), from the others,
// in proportion to their share. 0 for a constant series.
[[nodiscard]] double robust_scale(std::span<const double> values);

// Scatter about the means of segments.
struct ResidualNoise {
  double variance = 0;     // pooled
  double correlation = 0;  // of neighbours, 0 to .9
  // What `variance` must be multiplied by to say how far means wander.
  [[nodiscard]] double inflation() const { return (1 + correlation) / (1 - correlation); }
  [[nodiscard]] double long_run_variance() const { return variance * inflation(); }
};
// `breaks` are the first points of the second and later segments, ascending.
[[nodiscard]] ResidualNoise residual_noise(std::span<const double> values,
                                           std::span<const std::size_t> breaks);

inline constexpr std::size_t kRollingReach = 3;  // points on each side of a rolling median

// values[at] pulled to within `limit` of the median of itself and its neighbours (three on each side, fewer
// at the ends): a spike is cut off, a step stays.
[[nodiscard]] double winsorised_at(std::span<const double> values, std::size_t at, double limit);
[[nodiscard]] std::vector<double> winsorised(std::span<const double> values, double limit);

}  // namespace kilter::analyse
