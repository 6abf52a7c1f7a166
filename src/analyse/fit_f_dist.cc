#include "analyse/fit_f_dist.h"

#include "analyse/distributions.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace kilter::analyse {
namespace {

// digamma and trigamma of df/2, remembered: the estimates of a report have few different df.
struct LogMoments {
  double df = -1;
  double mean = 0;      // of ln(F's numerator)
  double variance = 0;  // of the same
};

LogMoments log_moments(double df) {
  return {.df = df, .mean = digamma(df / 2) - std::log(df / 2), .variance = trigamma(df / 2)};
}

}  // namespace

std::optional<ScalePrior> fit_f_dist(std::span<const ScaledEstimate> estimates, double least) {
  std::vector<double> logs;
  LogMoments moments;
  double sampling = 0;
  double sum = 0;
  for (const ScaledEstimate& estimate : estimates) {
    if (!(estimate.df > 0) || !std::isfinite(estimate.value)) continue;
    const double value = std::max(estimate.value, least);
    if (!(value > 0)) continue;
    if (estimate.df != moments.df) moments = log_moments(estimate.df);
    logs.push_back(std::log(value) - moments.mean);
    sampling += moments.variance;
    sum += logs.back();
  }
  if (logs.size() < kFewestEstimates) return std::nullopt;
  const double count = static_cast<double>(logs.size());
  const double mean = sum / count;
  double squares = 0;
  for (const double log : logs) squares += (log - mean) * (log - mean);
  const double excess = squares / (count - 1) - sampling / count;
  if (excess <= 0) return ScalePrior{.value = std::exp(mean), .df = kMostPriorDf};
  const double half = inverse_trigamma(excess);
  return ScalePrior{.value = std::exp(mean + digamma(half) - std::log(half)),
                    .df = std::min(2 * half, kMostPriorDf)};
}

}  // namespace kilter::analyse
