#include "analyse/kilter_rule.h"

#include "analyse/direction.h"
#include "analyse/history_stretch.h"
#include "analyse/verdict_notes.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace kilter::analyse {
namespace {

using model::Answer;
using model::CompareTable;
using model::Matrix;
using model::MatrixRow;
using model::Number;
using model::RowVerdict;

using RuleValues = std::vector<std::optional<Number>>;

const double kRuleNan = std::numeric_limits<double>::quiet_NaN();
const double kRuleInfinity = std::numeric_limits<double>::infinity();

// x.speed is a headline, x.lat is better when lower, everything else has no direction.
model::MetricInfo toy_info(const std::string& key) {
  model::MetricInfo info;
  if (key == "x.speed") info = {.direction = model::Direction::higher_better, .headline = true};
  if (key == "x.lat") info = {.direction = model::Direction::lower_better, .headline = true};
  if (key == "x.blind") info.headline = true;
  return info;
}

CompareOptions toy_rule() {
  CompareOptions options{.judged_by = ChangeRule::kilter, .order = RowOrder::headline_first};
  options.metric_info = toy_info;
  return options;
}

CompareTable judged_table(const std::vector<Matrix>& sides, const CompareOptions& options = toy_rule()) {
  std::vector<CompareInput> inputs;
  for (const Matrix& side : sides)
    inputs.push_back(
        {.axes = {{"testcase", "x"}, {"commit", std::string(1, static_cast<char>('a' + inputs.size()))}},
         .matrix = &side});
  const Result<CompareTable> table = compare(inputs, options);
  REQUIRE(table);
  return *table;
}

CompareTable judged_table(const std::string& key, const RuleValues& a, const RuleValues& b,
                          const CompareOptions& options = toy_rule()) {
  return judged_table(
      {Matrix{.rows = {{.key = key, .values = a}}}, Matrix{.rows = {{.key = key, .values = b}}}}, options);
}

// The only row of all metrics, whatever its answer.
RowVerdict verdict_between(const RuleValues& a, const RuleValues& b, CompareOptions options = toy_rule()) {
  options.wanted = "x.speed";
  const CompareTable table = judged_table("x.speed", a, b, options);
  REQUIRE(table.rows.size() == 1);
  REQUIRE(table.rows[0].verdicts[0]);
  return *table.rows[0].verdicts[0];
}

bool table_notes(const CompareTable& table, const std::string& part) {
  return std::ranges::any_of(table.notes, [&](const std::string& note) { return note.contains(part); });
}

// Builds of five runs each around 1000, of `sd`.
model::BuildHistory history_around(int builds, double sd, unsigned seed, bool modes = false) {
  std::mt19937 random(seed);
  std::normal_distribution<double> noise(0, sd);
  std::vector<model::RunTable::Run> runs(static_cast<std::size_t>(builds) * 5);
  model::BuildHistory history{.runs = model::RunTable({"x.speed"}, runs)};
  for (std::size_t run = 0; run < runs.size(); ++run) {
    if (run % 5 == 0) history.begins.push_back(run);
    history.runs.at(0, run) = 1000 + noise(random) + (modes && random() % 5 == 0 ? 100 : 0);
  }
  return history;
}

TEST_CASE("a change of a few percent is shown with its interval and what the runs could have shown") {
  const CompareTable table = judged_table("x.speed", {1000, 1003, 998, 1001}, {950, 953, 949, 951});
  REQUIRE(table.rows.size() == 1);
  const model::CompareRow& row = table.rows[0];
  REQUIRE(row.verdicts[0]);
  const RowVerdict& verdict = *row.verdicts[0];
  CHECK(verdict.answer == Answer::changed);
  CHECK(row.changes[0] == doctest::Approx(-4.96).epsilon(0.01));
  CHECK(verdict.effect == doctest::Approx(row.changes[0] / 100));
  CHECK(verdict.low < verdict.effect);
  CHECK(verdict.high > verdict.effect);
  CHECK(verdict.high < 0);
  CHECK(verdict.resolution < 0.02);
  CHECK(verdict.n == 4);
  CHECK(verdict.level == "process");
  CHECK(table.columns[1].answers.changed == 1);
  CHECK(table_notes(table, "metrics: 1 changed"));
}

TEST_CASE("ranges that do not overlap are no change where three runs cannot tell") {
  const RuleValues a = {1000, 1100, 900};
  const RuleValues b = {1150, 1300, 1120};
  CHECK(judged_table("x.speed", a, b).rows.empty());
  CHECK(judged_table("x.speed", a, b, {.metric_info = toy_info}).rows.size() == 1);
}

TEST_CASE("a headline that makes no row says which of the two other answers it got") {
  const CompareTable same =
      judged_table("x.speed", {1000, 1001, 999, 1000, 1001}, {1000, 1002, 1000, 999, 1001});
  CHECK(same.rows.empty());
  REQUIRE(same.quiet_headlines.size() == 1);
  CHECK(table_notes(same, "headline: x.speed 1000 -> 1000 (+0.0 %): the same within 1 % (99 % interval"));
  const CompareTable few = judged_table("x.speed", {1000, 1050, 950}, {1010, 1060, 960});
  CHECK(table_notes(few, "not enough data: 3+3 runs could have shown"));
  CHECK(table_notes(few, "a side 1 %"));
}

TEST_CASE("one run a side tells nothing, and is no crash") {
  const RowVerdict verdict = verdict_between({1000}, {2000});
  CHECK(verdict.answer == Answer::unknown);
  CHECK(verdict.low == -1);
  CHECK(std::isinf(verdict.resolution));
  CHECK(table_notes(judged_table("x.speed", {1000}, {2000}), "tell nothing of its scatter"));
  CHECK(verdict_between({1000, 1001, 999}, {2000}).answer == Answer::unknown);
}

TEST_CASE("without any variance, what was rounded is told apart by more than the rounding") {
  CHECK(verdict_between({1000, 1000, 1000}, {1000, 1000, 1000}).answer == Answer::same);
  CHECK(verdict_between({1000, 1000, 1000}, {1050, 1050, 1050}).answer == Answer::changed);
  // Integers that never move: whether 3 is 3.4 nobody knows.
  CHECK(verdict_between({3, 3, 3}, {3, 3, 3}).answer == Answer::unknown);
  CHECK(verdict_between({3, 3, 3}, {4, 4, 4}).answer == Answer::unknown);
  CHECK(verdict_between({0, 0, 0}, {0, 0, 0}).effect == 0);
}

TEST_CASE("what is no number is missing") {
  const RowVerdict verdict = verdict_between({1000, kRuleNan, 1001, 999, kRuleInfinity},
                                             {1100, 1101, -kRuleInfinity, 1099, std::nullopt});
  CHECK(verdict.answer == Answer::changed);
  CHECK(verdict.base_n == 3);
  CHECK(verdict.n == 3);
  const CompareTable none = judged_table("x.speed", {kRuleNan, kRuleNan, kRuleNan}, {1, 2, 3});
  CHECK(none.rows.empty());
}

TEST_CASE("a metric on one side only is counted, and no change") {
  const std::vector<Matrix> sides = {Matrix{.rows = {{.key = "x.old", .values = {1, 2, 3}}}},
                                     Matrix{.rows = {{.key = "x.speed", .values = {1, 2, 3}}}}};
  const CompareTable table = judged_table(sides);
  CHECK(table.rows.empty());
  CHECK(table_notes(table, "2 metrics are on one side only"));
  CHECK(table_notes(table, "headline: x.speed - -> 2.00: no value on one side"));
  CompareOptions all = toy_rule();
  all.all = true;
  CHECK(judged_table(sides, all).rows.size() == 2);
}

TEST_CASE("a base of zero has no percentage") {
  const CompareTable table = judged_table("x.speed", {0, 0, 0}, {500, 501, 499});
  REQUIRE(table.rows.size() == 1);
  CHECK(table.rows[0].verdicts[0]->from_zero);
  CHECK(table.rows[0].changes[0] == kRuleInfinity);
}

TEST_CASE("ten thousand runs a side are judged") {
  std::mt19937 random(7);
  std::normal_distribution<double> noise(0, 10);
  RuleValues a;
  RuleValues b;
  for (int run = 0; run < 10'000; ++run) {
    a.emplace_back(1000 + noise(random));
    b.emplace_back(1012 + noise(random));
  }
  const RowVerdict verdict = verdict_between(a, b);
  CHECK(verdict.answer == Answer::changed);
  CHECK(verdict.effect == doctest::Approx(0.012).epsilon(0.1));
  CHECK(verdict.resolution < 0.001);
}

TEST_CASE("a history of two modes keeps a lucky side from being a change, and the note says so") {
  const model::BuildHistory modes = history_around(12, 2, 3, true);
  CompareOptions options = toy_rule();
  options.verdicts.history = &modes;
  const RuleValues low = {1001, 999, 1000};
  const RuleValues high = {1101, 1000, 1100};
  const RowVerdict verdict = verdict_between(low, high, options);
  CHECK(verdict.multimodal);
  CHECK(verdict.answer == Answer::unknown);
  CHECK(verdict.history == 12);
  CHECK(
      table_notes(judged_table("x.speed", low, high, options), "several modes, so judged by means: x.speed"));
}

TEST_CASE("an outlier by the history is flagged, and does not make a change") {
  const model::BuildHistory calm = history_around(12, 2, 5);
  CompareOptions options = toy_rule();
  options.verdicts.history = &calm;
  const CompareTable table = judged_table("x.speed", {1000, 1001, 999}, {1001, 1000, 1200}, options);
  CHECK(table.rows.empty());
  CHECK(table_notes(table, "outliers, by the history: x.speed (0+1 of 3+3)"));
  CHECK(table_notes(table, "history: 12 other builds"));
}

TEST_CASE("without history the table says what its rows may be") {
  CHECK(table_notes(judged_table("x.speed", {1000, 1003, 998}, {900, 903, 898}), "no history:"));
}

TEST_CASE("one build a side is said, and the same build on both is not") {
  const Matrix a{.rows = {{.key = "x.speed", .values = {1000, 1003, 998}}}};
  const Matrix b{.rows = {{.key = "x.speed", .values = {900, 903, 898}}}};
  const auto labels = [](std::string_view build, std::string_view boot,
                         const std::vector<std::string>& names) {
    std::vector<RunLabel> runs;
    for (const std::string& name : names) runs.push_back({build, boot, name});
    return runs;
  };
  const std::vector<std::string> names = {"1", "2", "3"};
  std::vector<CompareInput> inputs = {
      {.axes = {{"commit", "a"}}, .matrix = &a, .runs = labels("b1", "boot1", names)},
      {.axes = {{"commit", "b"}}, .matrix = &b, .runs = labels("b2", "boot2", names)}};
  CHECK(table_notes(*compare(inputs, toy_rule()), "one build and one boot a side"));
  inputs[1].runs = labels("b1", "boot1", names);
  CHECK_FALSE(table_notes(*compare(inputs, toy_rule()), "one b"));
}

TEST_CASE("a benchmark that gets slower with every run is told, whatever its verdict") {
  const CompareTable table =
      judged_table("x.speed", {1000, 990, 979, 971, 960, 950}, {995, 985, 974, 966, 955, 945});
  CHECK(table_notes(table,
                    "drift from run to run, which only interleaved runs cancel: x.speed by -1.0 % a run"));
  CHECK_FALSE(table_notes(
      judged_table("x.speed", {1000, 990, 1004, 993, 1001, 996}, {995, 1003, 991, 998, 1002, 994}), "drift"));
}

TEST_CASE("5 % more throughput is an improvement, 5 % more latency a regression") {
  const auto side = [](double speed, double lat) {
    return Matrix{.rows = {{.key = "x.speed", .values = {speed, speed + 1, speed - 1}},
                           {.key = "x.lat", .values = {lat, lat + 1, lat - 1}}}};
  };
  const CompareTable faster = judged_table({side(1000, 1000), side(1050, 1000)});
  REQUIRE(pick_headline(faster));
  CHECK(pick_headline(faster)->verdict == Verdict::improvement);
  CHECK_FALSE(has_regressed(faster, 1));
  const CompareTable later = judged_table({side(1000, 1000), side(1000, 1050)});
  REQUIRE(pick_headline(later));
  CHECK(pick_headline(later)->verdict == Verdict::regression);
  CHECK(pick_headline(later)->text == "5.0%");
  CHECK(has_regressed(later, 1));
}

TEST_CASE("no direction, no headline; and no change, none either") {
  CHECK_FALSE(pick_headline(judged_table("x.blind", {1000, 1001, 999}, {2000, 2001, 1999})));
  CompareOptions all = toy_rule();
  all.all = true;
  const CompareTable table = judged_table("x.speed", {1000, 1100, 900}, {1150, 1300, 1120}, all);
  REQUIRE(table.rows.size() == 1);
  CHECK_FALSE(pick_headline(table));
  CHECK_FALSE(has_changed(table));
}

TEST_CASE("--delta decides what matters") {
  CompareOptions options = toy_rule();
  const RuleValues a = {1000, 1001, 999, 1000};
  const RuleValues b = {1020, 1021, 1019, 1020};
  CHECK(verdict_between(a, b, options).answer == Answer::changed);
  options.verdicts.headline_delta = 0.05;
  CHECK(verdict_between(a, b, options).answer == Answer::same);
}

// `failed` of `runs` runs end in a timeout.
Matrix runs_failing(int failed, int runs) {
  RuleValues speed;
  RuleValues outcome;
  RuleValues incomplete;
  for (int run = 0; run < runs; ++run) {
    const bool fails = run < failed;
    speed.emplace_back(fails ? std::nullopt : std::optional<Number>(1000 + run));
    outcome.emplace_back(fails ? std::optional<Number>(1) : std::nullopt);
    incomplete.emplace_back(fails ? std::optional<Number>(1) : std::nullopt);
  }
  Matrix matrix{.rows = {{.key = "x.speed", .values = speed}}};
  if (failed > 0) matrix.rows.push_back({.key = "last_state.timed-out", .values = outcome});
  if (failed > 0) matrix.rows.push_back({.key = "last_state.is_incomplete_run", .values = incomplete});
  return matrix;
}

TEST_CASE("failures are judged by Fisher's exact test, and shown whatever it says") {
  const CompareTable once = judged_table({runs_failing(0, 6), runs_failing(1, 6)});
  REQUIRE(once.rows.size() == 1);
  CHECK(once.rows[0].key == "last_state.timed-out");
  CHECK(once.rows[0].verdicts[0]->p == doctest::Approx(1));
  CHECK(once.rows[0].verdicts[0]->answer == Answer::unknown);
  CHECK_FALSE(has_regressed(once, 1));
  CHECK_FALSE(has_changed(once));
  const CompareTable always = judged_table({runs_failing(0, 4), runs_failing(4, 4)});
  REQUIRE_FALSE(always.rows.empty());
  CHECK(always.rows[0].verdicts[0]->p == doctest::Approx(2.0 / 70));
  CHECK(has_regressed(always, 1));
  CHECK_FALSE(has_regressed(judged_table({runs_failing(4, 4), runs_failing(0, 4)}), 1));
}

TEST_CASE("three runs that all fail where none did are a regression, two are not") {
  CHECK(failure_verdict({.failed = 0, .runs = 3}, {.failed = 3, .runs = 3}).answer == Answer::changed);
  CHECK(failure_verdict({.failed = 0, .runs = 2}, {.failed = 2, .runs = 2}).answer == Answer::unknown);
  CHECK(failure_verdict({.failed = 0, .runs = 8}, {.failed = 5, .runs = 8}).answer == Answer::changed);
  CHECK(failure_verdict({.failed = 0, .runs = 8}, {.failed = 5, .runs = 8}, {.q = 0.2}).answer ==
        Answer::unknown);
  CHECK(failure_verdict({}, {}).p == 1);
}

TEST_CASE("hidden metrics neither enter the rate nor change it when they are shown") {
  std::mt19937 random(11);
  std::vector<Matrix> sides(2);
  for (Matrix& side : sides)
    for (int key = 0; key < 40; ++key) {
      MatrixRow row{.key = (key % 2 == 0 ? "slabinfo.k" : "vmstat.k") + std::to_string(key), .values = {}};
      for (int run = 0; run < 4; ++run)
        row.values.emplace_back(1e5 * (1 + static_cast<double>(random() % 1000) / 1e5));
      side.rows.push_back(row);
    }
  CompareOptions all = toy_rule();
  all.all = true;
  const model::AnswerCounts shown = judged_table(sides).columns[1].answers;
  const model::AnswerCounts whole = judged_table(sides, all).columns[1].answers;
  CHECK(shown.same + shown.unknown + shown.changed == whole.same + whole.unknown + whole.changed);
  CHECK(shown.same == whole.same);
}

TEST_CASE("copies of a metric in another unit are named") {
  std::mt19937 random(13);
  std::normal_distribution<double> noise(0, 5);
  std::vector<Matrix> sides(2);
  for (std::size_t side = 0; side < 2; ++side) {
    MatrixRow speed{.key = "x.speed", .values = {}};
    MatrixRow seconds{.key = "x.seconds_per_thousand", .values = {}};
    for (int run = 0; run < 8; ++run) {
      const double value = 1000 + 50 * static_cast<double>(side) + noise(random);
      speed.values.emplace_back(value);
      seconds.values.emplace_back(7e4 / value);
    }
    sides[side].rows = {speed, seconds};
  }
  CompareOptions options = toy_rule();
  options.metric_info = nullptr;  // a headline stands alone
  const CompareTable table = judged_table(sides, options);
  REQUIRE(table.rows.size() == 2);
  CHECK(table.rows[0].verdicts[0]->copy_of + table.rows[1].verdicts[0]->copy_of == "x.speed");
}

TEST_CASE("what lies before the last change of a history does not count") {
  std::vector<std::vector<double>> builds;
  std::mt19937 random(17);
  std::normal_distribution<double> noise(0, 1);
  for (int build = 0; build < 20; ++build) {
    std::vector<double>& runs = builds.emplace_back();
    for (int run = 0; run < 3; ++run) runs.push_back((build < 9 ? 100 : 120) + noise(random));
  }
  const std::vector<std::span<const double>> spans(builds.begin(), builds.end());
  CHECK(since_last_change(spans).size() == 11);
  CHECK(since_last_change(History(spans).subspan(9)).size() == 11);
  CHECK(since_last_change({}).empty());
}

}  // namespace
}  // namespace kilter::analyse
