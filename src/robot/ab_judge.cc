#include "robot/ab_judge.h"

#include "analyse/classic_tests.h"
#include "analyse/looks.h"
#include "analyse/rec.h"
#include "analyse/samples.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace kilter::robot {
namespace {

constexpr double kMostMore = 1e6;  // samples; beyond that nobody will take them

// By the law that the resolution falls with the root of n.
std::size_t samples_missing(const analyse::RecResult& result, double delta) {
  const double n = static_cast<double>(std::min(result.a.n, result.b.n));
  const double ratio = result.resolution / delta;
  if (!(ratio > 1) || !std::isfinite(ratio)) return 0;
  const double more = std::ceil(n * ratio * ratio - n);
  return more <= kMostMore ? static_cast<std::size_t>(more) : 0;
}

constexpr double kAlike = 0.2;  // of neighbours: beyond, pairs are compared
constexpr std::size_t kFewestPairs = analyse::kClippedRuns;

struct SamplePairs {
  std::vector<double> a;
  std::vector<double> b;
};

// Half a block holds one sample of each. Half blocks of which one lacks the metric are left out.
SamplePairs pairs_of(const model::AbReport& report) {
  SamplePairs pairs;
  for (std::size_t i = 0; i + 1 < report.samples.size(); i += 2) {
    const model::AbSample& first = report.samples[i];
    const model::AbSample& second = report.samples[i + 1];
    if (first.side == second.side || !std::isfinite(first.value) || !std::isfinite(second.value)) continue;
    const bool a_first = first.side == model::AbSide::a;
    pairs.a.push_back(a_first ? first.value : second.value);
    pairs.b.push_back(a_first ? second.value : first.value);
  }
  return pairs;
}

// Of the logarithms (or values) of all pairs in their order, each about the middle of its side.
double likeness(const analyse::RecSamples& samples) {
  const double middle_a = analyse::mean(samples.a);
  const double middle_b = analyse::mean(samples.b);
  std::vector<double> in_order;
  for (std::size_t i = 0; i < std::min(samples.a.size(), samples.b.size()); ++i) {
    in_order.push_back(samples.a[i] - middle_a);
    in_order.push_back(samples.b[i] - middle_b);
  }
  return analyse::lag_one_correlation(in_order);
}

struct Tested {
  analyse::RecResult result;
  bool paired = false;
  double rank_p = 1;        // of a test that assumes nothing of the noise
  double least_rank_p = 0;  // that so few samples can give; of pairs, 2 / 2^n
};

// nullopt: neighbours are no more alike than others.
std::optional<Tested> tested_in_pairs(const model::AbReport& report) {
  const SamplePairs pairs = pairs_of(report);
  if (pairs.a.size() < kFewestPairs) return std::nullopt;
  const std::optional<analyse::RecSamples> samples = analyse::rec_samples({.a = pairs.a, .b = pairs.b});
  if (!samples || samples->a.size() != pairs.a.size() || samples->b.size() != pairs.b.size() ||
      likeness(*samples) <= kAlike)
    return std::nullopt;
  std::vector<double> differences;
  for (std::size_t i = 0; i < samples->a.size(); ++i) differences.push_back(samples->b[i] - samples->a[i]);
  return Tested{.result = analyse::paired_test(*samples),
                .paired = true,
                .rank_p = analyse::signed_rank(differences),
                .least_rank_p = std::exp2(1 - static_cast<double>(differences.size()))};
}

Tested tested_as_sides(const analyse::RecSamples& samples) {
  return {.result = analyse::rec_test(samples, {.clip_by_samples = true}),
          .rank_p = analyse::mann_whitney(samples.a, samples.b),
          .least_rank_p = analyse::least_mann_whitney(samples.a.size(), samples.b.size())};
}

// The t test trusts that a metric has one level, of which the samples tell the scatter. Ranks trust in
// nothing: they must agree, as far as so few samples can.
bool ranks_agree(const Tested& tested, double level) {
  constexpr double kRounding = 1 + 1e-9;
  return tested.rank_p <= std::max(level, tested.least_rank_p * kRounding);
}

}  // namespace

void judge(model::AbReport& report) {
  const std::vector<double> a = report.values(model::AbSide::a);
  const std::vector<double> b = report.values(model::AbSide::b);
  report.n = {a.size(), b.size()};
  const std::optional<analyse::RecSamples> samples = analyse::rec_samples({.a = a, .b = b});
  report.tested = samples.has_value();
  if (!samples) return;
  const std::optional<Tested> in_pairs = tested_in_pairs(report);
  const Tested tested = in_pairs ? *in_pairs : tested_as_sides(*samples);
  const analyse::RecResult& result = tested.result;
  report.paired = tested.paired;
  const analyse::AnswerRule rule{.level = report.level, .minimal_effect = report.delta};
  const bool sound = ranks_agree(tested, report.level);
  const analyse::Answer answer = analyse::answer(result, sound ? result.p : 1, rule);
  report.answer = answer == analyse::Answer::changed ? model::AbReport::Answer::changed
                  : answer == analyse::Answer::same  ? model::AbReport::Answer::same
                                                     : model::AbReport::Answer::unknown;
  report.significant =
      sound && result.p <= report.level && std::min(result.a.n, result.b.n) >= rule.fewest_runs;
  report.effect = result.effect;
  report.low = result.low;
  report.high = result.high;
  report.p = result.p;
  report.resolution = result.resolution;
  report.absolute = result.absolute;
  report.more = samples_missing(result, report.delta);
}

std::optional<std::size_t> next_ab_look(std::size_t samples) {
  return analyse::next_look(samples, analyse::kLongPlan);
}

double ab_look_level(double alpha) {
  return alpha * analyse::kLongPlan.share;
}

}  // namespace kilter::robot
