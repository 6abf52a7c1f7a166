#pragma once

#include "analyse/fit_f_dist.h"
#include "analyse/history_scale.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

// Has a metric changed from side a to side b? A t test of the Hodges-Lehmann shift whose scale is moderated
// by the metric's history, with a term for what a build (code layout) adds to all its runs. It works on
// logarithms where every value is positive, so effects are ratios. Pure.
//
//   RecSamples samples = rec_samples({.a = a, .b = b, .history = h}).value();
//   RecResult result = rec_test(samples, fit_rec_priors(all samples of the report));
//
// Rejected, measured by bench/verdicts: overlapping ranges of medians (LKP), rank tests (no power at 3 runs),
// Welch's t (blind to builds), the bootstrap of the median (false at 3 runs), history alone (no power).
namespace kilter::analyse {

inline constexpr double kIntervalLevel = 0.01;  // intervals cover 99 %
inline constexpr double kPower = 0.9;           // of the resolution, at kIntervalLevel

// As measured; what is no number (NaN, infinite, beyond 1e150) is left out and counted.
struct RecInput {
  std::span<const double> a;
  std::span<const double> b;
  History history;  // earlier builds under the same conditions, since the last change point
};

// Ready to be tested.
struct RecSamples {
  std::vector<double> a;
  std::vector<double> b;
  std::size_t dropped_a = 0;
  std::size_t dropped_b = 0;
  bool logarithmic = true;  // else a and b are as measured, and effects are relative to `level`
  double level = 1;         // |median of a|; of b, or the largest value, where that is 0
  double rounding = 0;      // least variance: that of rounding to the decimals which the values have
  std::optional<HistoryScale> history;
};
// nullopt when a side has no value.
[[nodiscard]] std::optional<RecSamples> rec_samples(const RecInput& input);

// What other metrics say.
struct RecPriors {
  std::optional<ScalePrior> variance;         // for metrics without history; of the same report
  ScalePrior build_ratio = kBuildRatioPrior;  // of the same job group
  // Without history: values far from their side's median count only up to kSampleClip robust deviations, from
  // kClippedRuns a side on. A few disturbed runs then do not hide what the others show.
  bool clip_by_samples = false;
};
inline constexpr double kSampleClip = 3;
inline constexpr std::size_t kClippedRuns = 8;
[[nodiscard]] RecPriors fit_rec_priors(std::span<const RecSamples> metrics);

struct RecSide {
  std::size_t n = 0;
  std::size_t dropped = 0;
  std::size_t flagged = 0;  // farther from the side's median than the history's clip
};

// Effects are relative: .02 is 2 % more. The infinite ones mean "nothing is known".
struct RecResult {
  RecSide a;
  RecSide b;
  double effect = 0;
  double low = 0;  // the 99 % interval of the effect
  double high = 0;
  double p = 1;           // two-sided, of no change
  double df = 0;          // 0: neither the runs nor a history give a scale
  double se = 0;          // of `shift`
  double shift = 0;       // of logarithms, or as measured
  double s = 0;           // scale of one run, moderated
  double tau = 0;         // scale of the build effect
  double resolution = 0;  // the smallest effect that would have been shown with a chance of kPower
  double level = 1;       // of side a in its unit, as in RecSamples
  bool absolute = false;  // some value was not positive
  bool multimodal = false;
};
[[nodiscard]] RecResult rec_test(const RecSamples& samples, const RecPriors& priors = {});

// The same of samples that were taken in turn: value i of a and value i of b are neighbours in time, so what
// the machine did meanwhile falls on both. A t test of the differences' Hodges-Lehmann centre; values beyond
// the shorter side are left out, and differences far out are clipped as by `clip_by_samples`. Without
// history. It pays where neighbours are alike, and costs half the degrees of freedom.
[[nodiscard]] RecResult paired_test(const RecSamples& samples);

// How alike neighbours are: the correlation of each value with the one before it; 0 of fewer than 3, or of
// values that are all the same.
[[nodiscard]] double lag_one_correlation(std::span<const double> in_order);

}  // namespace kilter::analyse
