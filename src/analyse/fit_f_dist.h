#pragma once

#include <optional>
#include <span>

// Smyth's moment estimator (limma's fitFDist): what many estimates of a variance, or of a ratio of variances,
// say about the next one. Pure.
namespace kilter::analyse {

// An estimate and what it rests on.
struct ScaledEstimate {
  double value = 0;
  double df = 0;
};

// "The true value is near `value`, as sure as an estimate of `df` degrees of freedom would make it."
struct ScalePrior {
  double value = 1;
  double df = 0;
};

inline constexpr double kMostPriorDf = 40;  // more sureness than this is never taken from other metrics
inline constexpr std::size_t kFewestEstimates = 10;

// The prior under which `estimates` are value * F(df, prior df): log values, their mean and spread. Estimates
// below `least` are raised to it (0 has no logarithm); those without df or that are no numbers are left out.
// nullopt when fewer than kFewestEstimates remain. Source: Smyth 2004, section 6.2.
[[nodiscard]] std::optional<ScalePrior> fit_f_dist(std::span<const ScaledEstimate> estimates, double least);

}  // namespace kilter::analyse
