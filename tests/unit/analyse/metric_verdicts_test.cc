#include "analyse/metric_verdicts.h"

#include "analyse/correlated.h"
#include "analyse/fdr.h"
#include "analyse/looks.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace kilter::analyse {
namespace {

using Reals = std::vector<double>;

constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

RecResult result_with(double effect, double half_interval, std::size_t runs = 5) {
  return {.a = {.n = runs},
          .b = {.n = runs},
          .effect = effect,
          .low = effect - half_interval,
          .high = effect + half_interval};
}

TEST_CASE("changed, same and unknown are three answers") {
  const AnswerRule rule{.level = 0.05, .minimal_effect = 0.01};
  CHECK(answer(result_with(0.03, 0.01), 0.001, rule) == Answer::changed);
  CHECK(answer(result_with(-0.03, 0.01), 0.001, rule) == Answer::changed);
  CHECK(answer(result_with(0.002, 0.005), 0.3, rule) == Answer::same);
  CHECK(answer(result_with(0.002, 0.02), 0.3, rule) == Answer::unknown);
  CHECK(answer(result_with(0.03, 0.04), 0.2, rule) == Answer::unknown);
  CHECK(answer_name(Answer::same) == "same");
}

TEST_CASE("a real but irrelevant change is the same, or unknown until it surely is") {
  const AnswerRule rule{.level = 0.05, .minimal_effect = 0.01};
  CHECK(answer(result_with(0.005, 0.003), 1e-6, rule) == Answer::same);
  CHECK(answer(result_with(0.009, 0.003), 1e-6, rule) == Answer::unknown);
}

TEST_CASE("a change needs three sound runs a side") {
  const AnswerRule rule{.level = 0.05, .minimal_effect = 0.01};
  RecResult result = result_with(0.03, 0.01, 3);
  CHECK(answer(result, 0.001, rule) == Answer::changed);
  result.b.flagged = 1;
  CHECK(answer(result, 0.001, rule) == Answer::unknown);
  CHECK(answer(result_with(0.03, 0.01, 2), 0.001, rule) == Answer::unknown);
  CHECK(answer(result_with(0.03, 0.01, 1), 0.001, {.minimal_effect = 0.01, .fewest_runs = 1}) ==
        Answer::changed);
}

TEST_CASE("Benjamini and Hochberg's own example: four of fifteen are rejected at .05") {
  const Reals p = {0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344,
                   0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000};
  const Reals q = benjamini_hochberg(p);
  CHECK(std::ranges::count_if(q, [](double rate) { return rate <= 0.05; }) == 4);
  CHECK(q[0] == doctest::Approx(0.0015));
  CHECK(q[3] == doctest::Approx(0.0095 * 15 / 4));
  CHECK(q[14] == 1);
}

TEST_CASE("rates do not depend on the order, and what is no number is 1") {
  const Reals q = benjamini_hochberg(Reals{kNoValue, 0.04, 0.001, -1, 0.03});
  CHECK(q[0] == 1);
  CHECK(q[2] == doctest::Approx(0.005));
  CHECK(q[4] == doctest::Approx(0.04 * 5 / 3));
  CHECK(benjamini_hochberg(Reals{}).empty());
}

TEST_CASE("copies count once in a rate and are held to its limit") {
  const Reals p = {0.01, 0.012, 0.5, 0.008};
  const std::vector<std::size_t> groups = {0, 0, 2, 0};
  const Reals q = benjamini_hochberg(p, groups);
  CHECK(q[0] == doctest::Approx(0.02));
  CHECK(q[3] == doctest::Approx(0.02));  // as what speaks for it
  CHECK(q[1] == doctest::Approx(0.5));   // beyond the limit that its speaker sets
}

// Metrics over two sides and some builds.
struct DrawnMetric {
  std::vector<Reals> blocks;
  [[nodiscard]] std::vector<std::span<const double>> views() const { return {blocks.begin(), blocks.end()}; }
};

DrawnMetric drawn_metric(std::mt19937& random, std::size_t blocks, std::size_t runs, double shift = 0) {
  std::normal_distribution<double> noise(0, 1);
  DrawnMetric drawn;
  for (std::size_t block = 0; block < blocks; ++block) {
    Reals& values = drawn.blocks.emplace_back();
    for (std::size_t run = 0; run < runs; ++run)
      values.push_back(100 + noise(random) + (block == 1 ? shift : 0));
  }
  return drawn;
}

DrawnMetric in_other_unit(DrawnMetric drawn, double factor, double offset) {
  for (Reals& block : drawn.blocks)
    for (double& value : block) value = offset + factor * value;
  return drawn;
}

std::vector<std::size_t> groups_of(const std::vector<DrawnMetric>& metrics) {
  std::vector<std::vector<std::span<const double>>> views;
  for (const DrawnMetric& drawn : metrics) views.push_back(drawn.views());
  return correlated_groups(std::vector<RunBlocks>(views.begin(), views.end()));
}

TEST_CASE("the same metric in another unit, or turned around, is a copy") {
  std::mt19937 random(1);
  std::vector<DrawnMetric> metrics = {drawn_metric(random, 4, 6), drawn_metric(random, 4, 6)};
  metrics.push_back(in_other_unit(metrics[1], 1e-6, 3));
  metrics.push_back(in_other_unit(metrics[0], -4096, 1e9));
  CHECK(groups_of(metrics) == std::vector<std::size_t>{0, 1, 1, 0});
}

TEST_CASE("metrics that change together are no copies") {
  std::mt19937 random(2);
  CHECK(groups_of({drawn_metric(random, 2, 5, 1000), drawn_metric(random, 2, 5, 1000)}) ==
        std::vector<std::size_t>{0, 1});
}

TEST_CASE("with few runs chance makes no copies among a thousand metrics") {
  std::mt19937 random(3);
  std::vector<DrawnMetric> metrics;
  for (int i = 0; i < 1000; ++i) metrics.push_back(drawn_metric(random, 2, 3));
  metrics.push_back(in_other_unit(metrics[17], 2, 0));
  const std::vector<std::size_t> groups = groups_of(metrics);
  CHECK(groups[1000] == 17);
  for (std::size_t i = 0; i < 1000; ++i) CHECK(groups[i] == i);
}

TEST_CASE("what has other runs, too few, or no scatter is no copy") {
  std::mt19937 random(4);
  const DrawnMetric whole = drawn_metric(random, 2, 6);
  DrawnMetric gap = whole;
  gap.blocks[0][2] = kNoValue;
  CHECK(groups_of({whole, gap, gap}) == std::vector<std::size_t>{0, 1, 1});
  const DrawnMetric still{.blocks = {Reals(5, 3.0), Reals(5, 3.0)}};
  CHECK(groups_of({still, still}) == std::vector<std::size_t>{0, 1});
  const DrawnMetric few{.blocks = {{1, 2}, {3}}};
  CHECK(groups_of({few, few}) == std::vector<std::size_t>{0, 1});
  CHECK(groups_of({}).empty());
}

TEST_CASE("looks are at 3, 5, 8, 12 and 20 runs a side, and nowhere else") {
  CHECK(next_look(0) == 3);
  CHECK(next_look(3) == 5);
  CHECK(next_look(9) == 12);
  CHECK(next_look(20) == std::nullopt);
  CHECK(next_look(20, kLongPlan) == 32);
  CHECK(next_look(200, kLongPlan) == std::nullopt);
  RecResult sure = result_with(0.05, 0.01, 5);
  sure.p = 1e-6;
  const AnswerRule rule{.level = 0.01, .minimal_effect = 0.01};
  CHECK(look(sure, rule).answer == Answer::changed);
  CHECK(look(sure, rule).next == std::nullopt);
  sure.a.n = 4;
  CHECK(look(sure, rule).answer == Answer::unknown);
  CHECK(look(sure, rule).next == 5);
  sure.a.n = sure.b.n = 200;
  sure.p = 0.0011;
  CHECK(look(sure, rule, kLongPlan).answer == Answer::changed);
  sure.p = 0.0013;
  CHECK(look(sure, rule, kLongPlan).answer == Answer::unknown);
}

TEST_CASE("each look is held to its share of the level, and the last one ends") {
  RecResult weak = result_with(0.05, 0.04, 8);
  weak.p = 0.004;  // .01 alone would do
  const AnswerRule rule{.level = 0.01, .minimal_effect = 0.01};
  CHECK(look(weak, rule).answer == Answer::unknown);
  CHECK(look(weak, rule).next == 12);
  weak.a.n = weak.b.n = 20;
  CHECK(look(weak, rule).next == std::nullopt);
  weak.p = 0.0027;
  CHECK(look(weak, rule).answer == Answer::changed);
  CHECK(look(result_with(0.001, 0.005, 3), rule).answer == Answer::same);
  CHECK(look(result_with(0.001, 0.005, 3), rule).next == std::nullopt);
}

// A report of 200 metrics, the first of which are 10 % higher in b.
struct Report {
  std::vector<DrawnMetric> drawn;
  std::vector<std::vector<std::span<const double>>> histories;
  std::vector<MetricEvidence> metrics;
};

Report made_report(std::size_t changed) {
  std::mt19937 random(5);
  Report report;
  for (std::size_t i = 0; i < 200; ++i)
    report.drawn.push_back(drawn_metric(random, 12, 4, i < changed ? 10 : 0));
  for (const DrawnMetric& drawn : report.drawn) {
    const std::vector<std::span<const double>> views = drawn.views();
    report.histories.emplace_back(views.begin() + 2, views.end());
    report.metrics.push_back({.runs = {.a = drawn.blocks[0], .b = drawn.blocks[1]}});
  }
  for (std::size_t i = 0; i < 200; ++i) report.metrics[i].runs.history = report.histories[i];
  return report;
}

TEST_CASE("a report finds its changes and little else") {
  const Report report = made_report(20);
  const std::vector<std::optional<MetricVerdict>> verdicts = metric_verdicts(report.metrics);
  REQUIRE(verdicts.size() == 200);
  std::size_t found = 0;
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < 200; ++i)
    if (verdicts[i]->answer == Answer::changed) ++(i < 20 ? found : wrong);
  CHECK(found == 20);
  CHECK(wrong == 0);  // 5 % is many times the resolution
}

TEST_CASE("a headline is judged alone, a metric of one side not at all") {
  Report report = made_report(0);
  report.metrics[3].headline = true;
  report.metrics[3].minimal_effect = kHeadlineMinimalEffect;
  report.metrics[4].runs.b = {};
  const std::vector<std::optional<MetricVerdict>> verdicts = metric_verdicts(report.metrics);
  CHECK(verdicts[3]->q == verdicts[3]->result.p);
  CHECK_FALSE(verdicts[4]);
  CHECK(verdicts[5]->q >= verdicts[5]->result.p);
  CHECK(metric_verdicts({}).empty());
}

TEST_CASE("a copy has its speaker's rate") {
  Report report = made_report(5);
  const DrawnMetric copy = in_other_unit(report.drawn[2], 1e-3, 0);
  const std::vector<std::span<const double>> views = copy.views();
  const std::vector<std::span<const double>> history(views.begin() + 2, views.end());
  report.metrics.push_back({.runs = {.a = copy.blocks[0], .b = copy.blocks[1], .history = history}});
  const std::vector<std::optional<MetricVerdict>> verdicts = metric_verdicts(report.metrics);
  CHECK(verdicts[200]->speaker == 2);
  CHECK(verdicts[200]->answer == Answer::changed);
  CHECK(verdicts[2]->speaker == 2);
}

}  // namespace
}  // namespace kilter::analyse
