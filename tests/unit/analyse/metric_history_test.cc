#include "analyse/metric_history.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>

using namespace kilter;
using analyse::judge_history;
using analyse::point_value;
using model::MetricHistory;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

MetricHistory history_of(const std::vector<double>& values) {
  MetricHistory history;
  history.info.direction = model::Direction::higher_better;
  for (std::size_t i = 0; i < values.size(); ++i)
    history.points.push_back({.commit = std::to_string(i),
                              .subject = "",
                              .started = 1000.0 + static_cast<double>(i),
                              .value = values[i],
                              .runs = {values[i], values[i]},
                              .build_id = "",
                              .stretch = 0,
                              .place = static_cast<std::int64_t>(i)});
  return history;
}

std::vector<double> noisy(std::size_t count, double level, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> noise(0, .01);
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(level * (1 + noise(random)));
  return values;
}

std::vector<double> joined(std::vector<double> a, const std::vector<double>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace

TEST_CASE("a step is a confirmed change with its interval and its commits") {
  MetricHistory history = history_of(joined(noisy(30, 100, 1), noisy(30, 95, 2)));
  judge_history(history);
  REQUIRE(history.changes.size() == 1);
  const model::HistoryChange& change = history.changes[0];
  CHECK(change.confirmed);
  CHECK(change.index == 30);
  CHECK(change.effect == doctest::Approx(-.05).epsilon(.2));
  CHECK(change.low < change.effect);
  CHECK(change.high > change.effect);
  CHECK(change.low < -.05);
  CHECK(change.high > -.05);
  CHECK(change.high < 0);
  CHECK(change.points_before == 20);
  CHECK(change.runs_after == 40);
  CHECK(change.untested == 0);
  CHECK(change_verdict(change) == "regression");
  REQUIRE(history.levels.size() == 2);
  CHECK(history.levels[0].value == doctest::Approx(100).epsilon(.01));
  CHECK(history.levels[1].low < history.levels[1].value);
}

TEST_CASE("untested commits are counted and one program on both sides is seen") {
  MetricHistory history = history_of(joined(noisy(20, 100, 1), noisy(20, 95, 2)));
  for (std::size_t i = 20; i < 40; ++i) history.points[i].place += 7;
  history.points[19].build_id = history.points[20].build_id = "same";
  judge_history(history);
  REQUIRE(history.changes.size() == 1);
  CHECK(history.changes[0].untested == 7);
  CHECK(history.changes[0].same_build);
  for (std::size_t i = 20; i < 40; ++i) history.points[i].place = -1;
  judge_history(history);
  CHECK(history.changes[0].untested == -1);
}

TEST_CASE("the newest step is a suspect until enough points stand on it") {
  MetricHistory history = history_of(joined(noisy(40, 100, 1), {97.2, 97.0, 97.4}));
  judge_history(history);
  REQUIRE(history.changes.size() == 1);
  CHECK_FALSE(history.changes[0].confirmed);
  CHECK(history.changes[0].index == 40);
}

TEST_CASE("unlike machines are not compared") {
  MetricHistory history = history_of(joined(noisy(30, 100, 1), noisy(30, 50, 2)));
  for (std::size_t i = 30; i < 60; ++i) history.points[i].stretch = 1;
  judge_history(history);
  CHECK(history.changes.empty());
  REQUIRE(history.levels.size() == 2);
  CHECK(history.levels[1].begin == 30);
}

TEST_CASE("histories that say nothing say nothing") {
  MetricHistory none = history_of({});
  judge_history(none);
  CHECK(none.levels.empty());
  MetricHistory one = history_of({5});
  judge_history(one);
  CHECK(one.changes.empty());
  REQUIRE(one.levels.size() == 1);
  CHECK(one.levels[0].value == 5);
  MetricHistory still = history_of(std::vector<double>(500, 7.0));
  judge_history(still);
  CHECK(still.changes.empty());
  CHECK(still.levels[0].low == 7);
  MetricHistory odd = history_of({kNaN, std::numeric_limits<double>::infinity(), 1e300, 1, 2, kNaN});
  judge_history(odd);
  CHECK(odd.changes.empty());
}

TEST_CASE("a metric that crosses zero changes by a difference") {
  std::vector<double> values = noisy(30, 10, 1);
  for (double& value : values) value -= 10;
  std::vector<double> high = noisy(30, 10, 2);
  for (double& value : high) value -= 5;
  MetricHistory history = history_of(joined(values, high));
  judge_history(history);
  REQUIRE(history.changes.size() == 1);
  CHECK(history.changes[0].absolute);
  CHECK(history.changes[0].after == doctest::Approx(5).epsilon(.05));
}

TEST_CASE("100,000 points are judged") {
  std::vector<double> values;
  for (unsigned level = 0; level < 10; ++level)
    values = joined(std::move(values), noisy(10'000, 100 + 10 * (level % 2), level));
  MetricHistory history = history_of(values);
  judge_history(history);
  CHECK(history.changes.size() == 9);
}

TEST_CASE("a point is the median of its boots' medians") {
  std::vector<double> runs = {1, 100, 1, 5, 6, 7};
  CHECK(point_value(runs, std::array<std::size_t, 1>{6}) == 5.5);
  runs = {1, 100, 1, 5, 6, 7};
  CHECK(point_value(runs, std::array<std::size_t, 2>{3, 6}) == 3.5);
  runs = {kNaN, 4, kNaN, kNaN, kNaN, kNaN};
  CHECK(point_value(runs, std::array<std::size_t, 2>{3, 6}) == 4);
  runs = {kNaN};
  CHECK(std::isnan(point_value(runs, std::array<std::size_t, 1>{1})));
}
