#include "analyse/rec.h"

#include "analyse/distributions.h"
#include "analyse/order_statistics.h"
#include "analyse/samples.h"
#include "analyse/value_step.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>

namespace kilter::analyse {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kLargest = 1e150;      // squares of larger values overflow
constexpr std::size_t kRobustRuns = 5;  // a side; of fewer, one run moves the shift
constexpr double kLargestEffect = std::numeric_limits<double>::max();
constexpr double kDeviationPerMad = 1.4826;  // of the normal distribution
constexpr double kMadBias = 0.8;             // a median distance from few values' own median is small
constexpr double kLeastBuildRatio = 1e-3;    // ratios of 0 have no logarithm
constexpr double kLeastVariance = 1e-5;      // of the median variance of a report, for the same reason

bool is_usable(double value) {
  return std::abs(value) <= kLargest;
}

std::vector<double> usable_values(std::span<const double> values) {
  std::vector<double> usable;
  usable.reserve(values.size());
  std::ranges::copy_if(values, std::back_inserter(usable), is_usable);
  return usable;
}

// The history's usable values, build after build in one piece.
struct FlatHistory {
  std::vector<double> values;
  std::vector<std::size_t> ends;

  [[nodiscard]] std::vector<std::span<const double>> builds() const {
    std::vector<std::span<const double>> spans;
    spans.reserve(ends.size());
    std::size_t begin = 0;
    for (const std::size_t end : ends) {
      spans.emplace_back(values.data() + begin, end - begin);
      begin = end;
    }
    return spans;
  }
};

FlatHistory flatten(History history) {
  FlatHistory flat;
  if (history.size() > kMostHistory) history = history.last(kMostHistory);
  std::size_t runs_in_all = 0;
  for (const std::span<const double> runs : history) runs_in_all += runs.size();
  flat.values.reserve(runs_in_all);
  flat.ends.reserve(history.size());
  for (const std::span<const double> runs : history) {
    std::ranges::copy_if(runs, std::back_inserter(flat.values), is_usable);
    flat.ends.push_back(flat.values.size());
  }
  return flat;
}

bool all_positive(std::span<const double> values) {
  return std::ranges::all_of(values, [](double value) { return value > 0; });
}

void to_logarithms(std::span<double> values) {
  for (double& value : values) value = std::log(value);
}

double level_of(const RecSamples& samples) {
  if (const double base = std::abs(median(samples.a)); base > 0) return base;
  if (const double head = std::abs(median(samples.b)); head > 0) return head;
  double largest = 0;
  for (const std::span<const double> side : {std::span(samples.a), std::span(samples.b)})
    for (const double value : side) largest = std::max(largest, std::abs(value));
  return largest > 0 ? largest : 1;
}

// Values rounded to whole steps may all be equal and still lie half a step from the truth.
double rounding_variance(const RecSamples& samples, std::span<const double> history) {
  const double step = common_step({std::span(samples.a), std::span(samples.b), history});
  return step * step / 12;
}

// --- The test

struct TestScale {
  double variance = 0;
  double df = 0;
  double clip = kInfinity;
  bool multimodal = false;
};

// Kept apart from the clip of a history: it comes from the very values that are judged by it.
double clip_of_samples(std::initializer_list<std::span<const double>> sides) {
  std::vector<double> distances;
  for (const std::span<const double> side : sides) {
    if (side.size() < kClippedRuns) return kInfinity;
    const double centre = median(side);
    for (const double value : side) distances.push_back(std::abs(value - centre));
  }
  const double n = static_cast<double>(distances.size()) / static_cast<double>(sides.size());
  const double deviation = kDeviationPerMad * n / (n - kMadBias) * median_in_place(distances);
  return deviation > 0 ? kSampleClip * deviation : kInfinity;
}

TestScale prior_scale(const RecSamples& samples, const RecPriors& priors) {
  if (const std::optional<HistoryScale>& history = samples.history)
    return {.variance = history->variance,
            .df = std::min(history->df, kMostPriorDf),
            .clip = history->clip,
            .multimodal = history->multimodal};
  // Another metric's scale is a guess at this one's: good enough to moderate, not to call a run an outlier.
  if (priors.variance) return {.variance = priors.variance->value, .df = priors.variance->df};
  if (priors.clip_by_samples) return {.clip = clip_of_samples({samples.a, samples.b})};
  return {};
}

struct SideSpread {
  double squares = 0;   // from the median (the mean, where multimodal), clipped
  double expected = 0;  // for variance 1
  std::size_t flagged = 0;
};

SideSpread spread_of(std::span<const double> values, const TestScale& scale) {
  SideSpread spread;
  if (values.size() < 2) return spread;
  const double centre = scale.multimodal ? mean(values) : median(values);
  for (const double value : values) {
    const double size = std::abs(value - centre);
    if (size > scale.clip) ++spread.flagged;
    const double clipped = std::min(size, scale.clip);
    spread.squares += clipped * clipped;
  }
  spread.expected =
      scale.multimodal ? static_cast<double>(values.size() - 1) : median_sum_squares(values.size());
  return spread;
}

// Of logarithms to a ratio, of measured values relative to the level. Only what is unknown is infinite.
double as_effect(const RecSamples& samples, double shift) {
  const double effect = samples.logarithmic ? std::expm1(shift) : shift / samples.level;
  return std::isinf(shift) ? effect : std::clamp(effect, -kLargestEffect, kLargestEffect);
}

// The statistic's variance and its degrees of freedom (Satterthwaite).
void set_error(RecResult& result, double variance_of_runs, double df_of_runs, const BuildEffect& build) {
  const double of_builds = 2 * build.variance;
  const double variance = variance_of_runs + of_builds;
  result.se = std::sqrt(variance);
  result.df = df_of_runs;
  if (!(of_builds > 0)) return;
  const double runs = variance_of_runs > 0 ? variance_of_runs * variance_of_runs / df_of_runs : 0;
  result.df = variance * variance / (runs + of_builds * of_builds / build.df);
}

void set_conclusions(const RecSamples& samples, RecResult& result) {
  double margin = kInfinity;
  result.resolution = kInfinity;
  if (result.df > 0) {
    const double t = student_t_upper_quantile(kIntervalLevel / 2, result.df);
    margin = result.se > 0 ? t * result.se : 0;
    const double shown = (t + student_t_upper_quantile(1 - kPower, result.df)) * result.se;
    result.resolution = as_effect(samples, shown);
    if (result.se > 0)
      result.p = student_t_two_sided(result.shift / result.se, result.df);
    else
      result.p = result.shift == 0 ? 1 : 0;
  }
  result.effect = as_effect(samples, result.shift);
  result.low = as_effect(samples, result.shift - margin);
  result.high = as_effect(samples, result.shift + margin);
}

// Variance of one run: the samples' and the prior's, weighted by their degrees of freedom.
double moderated_variance(const TestScale& prior, double own, double own_df, double least) {
  const double df = prior.df + own_df;
  return df > 0 ? std::max((prior.df * prior.variance + own_df * own) / df, least) : 0;
}

RecResult tested_as_is(const RecSamples& samples, const RecPriors& priors) {
  const std::size_t n = samples.a.size();
  const std::size_t m = samples.b.size();
  const TestScale prior = prior_scale(samples, priors);
  const SideSpread a = spread_of(samples.a, prior);
  const SideSpread b = spread_of(samples.b, prior);
  RecResult result{.a = {.n = n, .dropped = samples.dropped_a, .flagged = a.flagged},
                   .b = {.n = m, .dropped = samples.dropped_b, .flagged = b.flagged},
                   .level = samples.level,
                   .absolute = !samples.logarithmic,
                   .multimodal = prior.multimodal};
  const double expected = a.expected + b.expected;
  const double own = expected > 0 ? (a.squares + b.squares) / expected : 0;
  const double own_df = static_cast<double>(n + m - 2);
  const double variance = moderated_variance(prior, own, own_df, samples.rounding);
  result.s = std::sqrt(variance);
  result.shift =
      prior.multimodal ? mean(samples.b) - mean(samples.a) : median_difference(samples.a, samples.b);
  const BuildEffect build =
      samples.history ? build_effect(*samples.history, priors.build_ratio) : BuildEffect{};
  result.tau = std::sqrt(build.variance);
  const double inflation = prior.multimodal ? 1 : shift_inflation(std::min(n, m));
  const double of_runs = variance * inflation * (1 / static_cast<double>(n) + 1 / static_cast<double>(m));
  set_error(result, of_runs, prior.df + own_df, build);
  set_conclusions(samples, result);
  return result;
}

std::vector<double> unflagged(std::span<const double> values, double clip) {
  const double centre = median(values);
  std::vector<double> kept;
  std::ranges::copy_if(values, std::back_inserter(kept),
                       [&](double value) { return std::abs(value - centre) <= clip; });
  return kept;
}

// What is left without the flagged runs, tested; nullopt when a side has nothing left.
std::optional<RecResult> tested_without_flagged(const RecSamples& samples, const RecPriors& priors) {
  RecSamples sound = samples;
  sound.a = unflagged(samples.a, samples.history->clip);
  sound.b = unflagged(samples.b, samples.history->clip);
  if (sound.a.empty() || sound.b.empty()) return std::nullopt;
  return tested_as_is(sound, priors);
}

RecPriors priors_of(std::span<const ScaledEstimate> ratios, std::vector<ScaledEstimate> variances) {
  RecPriors priors;
  priors.build_ratio = fit_f_dist(ratios, kLeastBuildRatio).value_or(kBuildRatioPrior);
  std::vector<double> sizes;
  for (const ScaledEstimate& estimate : variances)
    if (estimate.value > 0) sizes.push_back(estimate.value);
  priors.variance = fit_f_dist(variances, kLeastVariance * median_in_place(sizes));
  return priors;
}

}  // namespace

std::optional<RecSamples> rec_samples(const RecInput& input) {
  RecSamples samples{.a = usable_values(input.a), .b = usable_values(input.b)};
  if (samples.a.empty() || samples.b.empty()) return std::nullopt;
  samples.dropped_a = input.a.size() - samples.a.size();
  samples.dropped_b = input.b.size() - samples.b.size();
  FlatHistory history = flatten(input.history);
  samples.level = level_of(samples);
  samples.rounding = rounding_variance(samples, history.values);
  samples.logarithmic = all_positive(samples.a) && all_positive(samples.b) && all_positive(history.values);
  if (samples.logarithmic) {
    for (std::vector<double>* const values : {&samples.a, &samples.b, &history.values})
      to_logarithms(*values);
    samples.rounding /= samples.level * samples.level;
  }
  samples.history = history_scale(history.builds());
  return samples;
}

RecPriors fit_rec_priors(std::span<const RecSamples> metrics) {
  std::vector<ScaledEstimate> ratios;
  std::vector<ScaledEstimate> variances;
  for (const RecSamples& samples : metrics) {
    if (samples.history) {
      if (const std::optional<ScaledEstimate> ratio = samples.history->build_ratio())
        ratios.push_back(*ratio);
    }
    const SideSpread a = spread_of(samples.a, {});
    const SideSpread b = spread_of(samples.b, {});
    // Values as measured have another unit in each metric.
    if (samples.logarithmic && a.expected + b.expected > 0)
      variances.push_back({.value = (a.squares + b.squares) / (a.expected + b.expected),
                           .df = static_cast<double>(samples.a.size() + samples.b.size() - 2)});
  }
  return priors_of(ratios, std::move(variances));
}

RecResult rec_test(const RecSamples& samples, const RecPriors& priors) {
  RecResult result = tested_as_is(samples, priors);
  const bool few = std::min(samples.a.size(), samples.b.size()) < kRobustRuns;
  if (!few || result.a.flagged + result.b.flagged == 0) return result;
  std::optional<RecResult> sound = tested_without_flagged(samples, priors);
  if (!sound || sound->p <= result.p) return result;
  sound->a = result.a;
  sound->b = result.b;
  return *sound;
}

RecResult paired_test(const RecSamples& samples) {
  const std::size_t n = std::min(samples.a.size(), samples.b.size());
  RecResult result{.a = {.n = n, .dropped = samples.dropped_a},
                   .b = {.n = n, .dropped = samples.dropped_b},
                   .level = samples.level,
                   .absolute = !samples.logarithmic};
  std::vector<double> differences;
  for (std::size_t i = 0; i < n; ++i) differences.push_back(samples.b[i] - samples.a[i]);
  if (n < 2) {
    result.shift = mean(differences);
    set_conclusions(samples, result);
    return result;
  }
  std::vector<double> negatives;
  for (const double difference : differences) negatives.push_back(-difference);
  result.shift = median_difference(negatives, differences) / 2;  // of the means of all pairs
  const SideSpread spread = spread_of(differences, {.clip = clip_of_samples({differences})});
  const double variance = std::max(spread.squares / spread.expected, 2 * samples.rounding);
  result.s = std::sqrt(variance / 2);
  set_error(result, variance * shift_inflation(n) / static_cast<double>(n), static_cast<double>(n) - 1, {});
  set_conclusions(samples, result);
  return result;
}

double lag_one_correlation(std::span<const double> in_order) {
  if (in_order.size() < 3) return 0;
  const double average = mean(in_order);
  double products = 0;
  double squares = 0;
  for (std::size_t i = 0; i < in_order.size(); ++i) {
    const double residual = in_order[i] - average;
    squares += residual * residual;
    if (i > 0) products += residual * (in_order[i - 1] - average);
  }
  return squares > 0 ? products / squares : 0;
}

}  // namespace kilter::analyse
