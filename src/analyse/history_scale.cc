#include "analyse/history_scale.h"

#include "analyse/order_statistics.h"
#include "analyse/samples.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace kilter::analyse {
namespace {

constexpr double kPairToSigma = 1.0483;    // 1 / (sqrt 2 * .6745)
constexpr double kMedianToSigma = 1.4826;  // 1 / .6745
constexpr double kTail = 0.9;              // this share of residuals must lie within the clip
constexpr double kBetweenEfficiency = 0.6;
constexpr std::size_t kFewestSteps = 5;  // between builds
constexpr std::size_t kMostRunsInPairs = 64;

// One pass over the history: what the steps below share. The medians are found once.
struct HistoryPass {
  History builds;
  std::vector<double> medians;
  std::vector<double> residuals;  // sizes, from the medians of builds with two runs or more
  double df = 0;
};

HistoryPass pass_over(History builds) {
  HistoryPass pass{.builds = builds};
  std::vector<double> scratch;
  std::size_t runs_in_all = 0;
  for (const std::span<const double> runs : builds) runs_in_all += runs.size();
  pass.residuals.reserve(runs_in_all);
  pass.medians.reserve(builds.size());
  for (const std::span<const double> runs : builds) {
    scratch.assign(runs.begin(), runs.end());
    pass.medians.push_back(median_in_place(scratch));
    if (runs.size() < 2) continue;
    pass.df += static_cast<double>(runs.size() - 1);
    for (const double run : runs) pass.residuals.push_back(std::abs(run - pass.medians.back()));
  }
  return pass;
}

void append_pairs(std::span<const double> runs, std::vector<double>& pairs) {
  const std::size_t count = std::min(runs.size(), kMostRunsInPairs);
  const auto at = [&](std::size_t index) { return runs[index * runs.size() / count]; };
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = i + 1; j < count; ++j) pairs.push_back(std::abs(at(i) - at(j)));
}

std::size_t pair_count(History builds) {
  std::size_t pairs = 0;
  for (const std::span<const double> runs : builds) {
    const std::size_t count = std::min(runs.size(), kMostRunsInPairs);
    pairs += count * (count - std::min<std::size_t>(count, 1)) / 2;
  }
  return pairs;
}

// Within builds, from the median distance of two runs of one build.
double first_scale(History builds) {
  std::vector<double> pairs;
  pairs.reserve(pair_count(builds));
  for (const std::span<const double> runs : builds) append_pairs(runs, pairs);
  const double scale = kPairToSigma * median_in_place(pairs);
  if (scale > 0) return scale;
  double squares = 0;
  for (const double pair : pairs) squares += pair * pair;
  return std::sqrt(squares / static_cast<double>(pairs.size()) / 2);
}

// The .9 quantile is above the limit; most often counting is enough.
bool is_multimodal(std::vector<double>& residuals, double limit) {
  const auto beyond = std::ranges::count_if(residuals, [limit](double size) { return size > limit; });
  if (static_cast<double>(beyond) < (1 - kTail) * static_cast<double>(residuals.size() - 1)) return false;
  return quantile_in_place(residuals, kTail) > limit;
}

double plain_variance(const HistoryPass& pass) {
  double squares = 0;
  for (const std::span<const double> runs : pass.builds) {
    const double average = mean(runs);
    for (const double run : runs) squares += (run - average) * (run - average);
  }
  return squares / pass.df;
}

double clipped_variance(const HistoryPass& pass, double clip) {
  double squares = 0;
  for (const double size : pass.residuals) squares += std::min(size, clip) * std::min(size, clip);
  double expected = 0;
  for (const std::span<const double> runs : pass.builds)
    if (runs.size() >= 2) expected += median_sum_squares(runs.size());
  return squares / expected;
}

void compare_builds(const HistoryPass& pass, HistoryScale& scale) {
  const std::size_t steps = pass.builds.size() - 1;
  scale.df_between = kBetweenEfficiency * static_cast<double>(steps);
  std::vector<double> sizes;
  double sampling = 0;
  for (std::size_t step = 0; step < steps; ++step) {
    const std::span<const double> before = pass.builds[step];
    const std::span<const double> after = pass.builds[step + 1];
    sizes.push_back(std::abs(scale.multimodal ? mean(after) - mean(before)
                                              : pass.medians[step + 1] - pass.medians[step]));
    sampling += scale.multimodal
                    ? 1 / static_cast<double>(before.size()) + 1 / static_cast<double>(after.size())
                    : median_variance(before.size()) + median_variance(after.size());
  }
  if (steps > 0) scale.sampling = scale.variance * sampling / static_cast<double>(steps);
  if (steps < kFewestSteps) return;
  scale.compared = true;
  const double clip = kClip * kMedianToSigma * median(sizes);
  for (const double size : sizes)
    scale.difference += std::min(size, clip) * std::min(size, clip) / static_cast<double>(steps);
}

}  // namespace

std::optional<ScaledEstimate> HistoryScale::build_ratio() const {
  if (!compared || !(sampling > 0)) return std::nullopt;
  return ScaledEstimate{.value = difference / sampling, .df = df_between};
}

std::optional<HistoryScale> history_scale(History builds) {
  std::vector<std::span<const double>> measured;
  for (const std::span<const double> runs : builds)
    if (!runs.empty()) measured.push_back(runs);
  History last = measured;
  if (last.size() > kMostHistory) last = last.last(kMostHistory);
  HistoryPass pass = pass_over(last);
  if (pass.df == 0) return std::nullopt;
  HistoryScale scale{.df = pass.df, .clip = kClip * first_scale(last)};
  scale.multimodal = is_multimodal(pass.residuals, scale.clip);
  scale.variance = scale.multimodal ? plain_variance(pass) : clipped_variance(pass, scale.clip);
  if (scale.multimodal || scale.clip == 0) scale.clip = std::numeric_limits<double>::infinity();
  compare_builds(pass, scale);
  return scale;
}

BuildEffect build_effect(const HistoryScale& scale, const ScalePrior& ratio_prior) {
  // Written in variances, not in ratios, so that it also holds where runs of one build never differ.
  const double df = scale.df_between + ratio_prior.df;
  if (!(df > 0)) return {};
  const double assumed = ratio_prior.value * scale.sampling;
  const double moderated =
      scale.compared ? (scale.df_between * scale.difference + ratio_prior.df * assumed) / df : assumed;
  return {.variance = std::max(0.0, moderated - scale.sampling) / 2, .df = df};
}

}  // namespace kilter::analyse
