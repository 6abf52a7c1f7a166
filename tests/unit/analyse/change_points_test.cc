#include "analyse/change_points.h"

#include <doctest/doctest.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>

namespace kilter::analyse {
namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();
constexpr double kBeyondNumbers = std::numeric_limits<double>::infinity();

using Points = std::vector<double>;
using Places = std::vector<std::size_t>;

Places places_of(const std::vector<ChangePoint>& changes) {
  Places places;
  for (const ChangePoint& change : changes) places.push_back(change.index);
  return places;
}

// "60 110": readable when a check fails.
std::string listed(const Places& places) {
  return fmt::format("{}", fmt::join(places, " "));
}

std::string listed(const std::vector<ChangePoint>& changes) {
  return listed(places_of(changes));
}

std::string confirmed_in(const Points& values) {
  return listed(change_points(values).confirmed);
}

struct Level {
  std::size_t points = 0;
  double value = 0;
};

// Noise of 1 % about levels.
Points noisy_levels(const std::vector<Level>& levels, std::uint64_t seed, double noise = 0.01) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal(0, noise);
  Points values;
  for (const Level& level : levels)
    for (std::size_t i = 0; i < level.points; ++i) values.push_back(level.value * std::exp(normal(random)));
  return values;
}

const Points kGolden = {100,   100.5, 99.6,  100.2, 100.1, 99.7,  100.6, 99.9,  100.2, 99.5,  100.3, 100,
                        102.2, 102.6, 101.9, 102.4, 102.1, 102.8, 101.7, 102.3, 102.5, 102.0, 102.2, 102.4};

TEST_CASE("the golden series has one change, of 2.2 %") {
  const Changes changes = change_points(kGolden);
  REQUIRE(listed(changes.confirmed) == "12");
  const ChangePoint& change = changes.confirmed[0];
  CHECK(change.effect == doctest::Approx(0.02208).epsilon(0.001));
  CHECK(change.before == doctest::Approx(100.05).epsilon(1e-4));
  CHECK(change.after == doctest::Approx(102.26).epsilon(1e-4));
  CHECK(change.t == doctest::Approx(16.64).epsilon(0.001));
  CHECK_FALSE(change.absolute);
  CHECK(changes.suspects.empty());
  CHECK(changes.splits.empty());
  CHECK(changes.skipped == 0);
}

TEST_CASE("the builds on both sides of a change are at most twenty of its own levels") {
  const Changes changes = change_points(noisy_levels({{50, 100}, {8, 110}, {50, 130}}, 1));
  REQUIRE(listed(changes.confirmed) == "50 58");
  CHECK(changes.confirmed[0].adjacent_before.begin == 30);
  CHECK(changes.confirmed[0].adjacent_before.end == 50);
  CHECK(changes.confirmed[0].adjacent_after.begin == 50);
  CHECK(changes.confirmed[0].adjacent_after.end == 58);
  CHECK(changes.confirmed[1].adjacent_before.begin == 50);
  CHECK(changes.confirmed[1].adjacent_after.end == 78);
}

TEST_CASE("the runs of a range of builds are pooled in their order") {
  const std::vector<Points> builds = {{1, 2}, {3}, {}, {4, 5}};
  const std::vector<std::span<const double>> runs(builds.begin(), builds.end());
  CHECK(pooled_runs(runs, {.begin = 1, .end = 4}) == Points{3, 4, 5});
  CHECK(pooled_runs(runs, {.begin = 2, .end = 2}).empty());
}

TEST_CASE("a fresh small step is a suspect first and confirmed with more points") {
  Points values = noisy_levels({{100, 1000}, {4, 1022}}, 5);
  const Changes early = change_points(values);
  CHECK(early.confirmed.empty());
  REQUIRE(listed(early.suspects) == "101");
  CHECK(early.suspects[0].effect == doctest::Approx(0.022).epsilon(0.4));
  const Points more = noisy_levels({{30, 1022}}, 6);
  values.insert(values.end(), more.begin(), more.end());
  const Changes late = change_points(values);
  CHECK(listed(late.confirmed) == "101");
  CHECK(late.suspects.empty());
}

TEST_CASE("a spike is neither suspected nor confirmed") {
  Points values = noisy_levels({{100, 1000}}, 7);
  values[40] = 2000;
  values[41] = 1900;
  values[90] = 3000;
  values[99] = 5000;
  const Changes changes = change_points(values);
  CHECK(changes.confirmed.empty());
  CHECK(changes.suspects.empty());
}

TEST_CASE("appending one by one, watched or not, gives the answer for the whole") {
  const Points values = noisy_levels({{120, 100}, {40, 103}, {200, 99}, {30, 120}, {10, 118}}, 8);
  SeriesHistory history;
  for (std::size_t i = 0; i < values.size(); ++i) {
    history.append(values[i]);
    if (i % 37 != 0) continue;
    const Changes whole = change_points(std::span(values).first(i + 1));
    const Changes grown = history.changes();
    REQUIRE(listed(grown.confirmed) == listed(whole.confirmed));
    REQUIRE(listed(grown.suspects) == listed(whole.suspects));
  }
  CHECK(listed(history.changes().confirmed) == confirmed_in(values));
}

TEST_CASE("what is forgotten was found before, and nothing twice") {
  std::vector<Level> levels;
  Places truth;
  for (std::size_t i = 0; i < 40; ++i) {
    levels.push_back({.points = 100 + i * 7, .value = i % 2 == 0 ? 1000.0 : 1060.0});
    truth.push_back((truth.empty() ? 0 : truth.back()) + levels.back().points);
  }
  truth.pop_back();
  const Places found = places_of(change_points(noisy_levels(levels, 9)).confirmed);
  REQUIRE(found.size() == truth.size());
  for (std::size_t i = 0; i < truth.size(); ++i) {
    CAPTURE(i);
    CHECK(std::max(found[i], truth[i]) - std::min(found[i], truth[i]) <= 1);
  }
}

TEST_CASE("one change in a long series is found wherever it lies") {
  for (const std::size_t at :
       {3U, 20U, 1000U, 1022U, 1024U, 1026U, 1050U, 1536U, 2040U, 2047U, 2048U, 2050U, 3000U}) {
    CAPTURE(at);
    CHECK(confirmed_in(noisy_levels({{at, 1000}, {4000 - at, 1300}}, at)) == std::to_string(at));
  }
}

TEST_CASE("the unit does not matter, nor does a constant on differences") {
  const Points values = noisy_levels({{60, 100}, {50, 110}, {70, 101}}, 10);
  const std::string found = confirmed_in(values);
  CHECK(found == "60 110");
  for (const double factor : {1e-9, 0.001, 60.0, 1e12}) {
    Points scaled;
    for (const double value : values) scaled.push_back(factor * value);
    CHECK(confirmed_in(scaled) == found);
  }
  for (const double shift : {-102.0, -1e4, -1e6}) {
    Points shifted;
    for (const double value : values) shifted.push_back(value + shift);
    CHECK(confirmed_in(shifted) == found);
  }
}

TEST_CASE("upside down and backwards, the changes are the same") {
  const Points values = noisy_levels({{60, 100}, {50, 110}, {70, 101}}, 11);
  Points inverted;
  for (const double value : values) inverted.push_back(1 / value);
  CHECK(confirmed_in(inverted) == "60 110");
  CHECK(confirmed_in({values.rbegin(), values.rend()}) == "70 120");
}

TEST_CASE("steps at both ends need three points") {
  CHECK(confirmed_in(noisy_levels({{3, 150}, {60, 100}, {3, 150}}, 12)) == "3 63");
  CHECK(change_points(noisy_levels({{60, 100}, {2, 103}}, 13)).confirmed.empty());
}

TEST_CASE("two spikes and an ordinary point are no new level") {
  CHECK(confirmed_in(noisy_levels({{60, 100}, {2, 150}, {60, 100}}, 24)).empty());
  CHECK(confirmed_in(noisy_levels({{2, 150}, {60, 100}, {2, 150}}, 13)).empty());
  CHECK(confirmed_in(noisy_levels({{60, 100}, {4, 150}, {60, 100}}, 24)) == "60 64");
}

TEST_CASE("hardly any points have no changes") {
  CHECK(change_points({}).confirmed.empty());
  CHECK(confirmed_in({1}).empty());
  CHECK(confirmed_in({1, 100}).empty());
  CHECK(confirmed_in({1, 1, 100, 100, 100}).empty());
}

TEST_CASE("a constant series never changes, until it does") {
  Points values(200, 7.0);
  CHECK(confirmed_in(values).empty());
  values.resize(206, 8.0);
  CHECK(confirmed_in(values) == "200");
  CHECK(confirmed_in({5, 5, 5, 5, 5, 5, 6, 6, 6, 6, 6, 6}) == "6");
}

TEST_CASE("integers that move rarely change when they stay") {
  Points values;
  for (std::size_t i = 0; i < 300; ++i) values.push_back(i % 23 == 0 ? 4 : 3);
  CHECK(confirmed_in(values).empty());
  for (std::size_t i = 150; i < 300; ++i) values[i] += 1;
  CHECK(confirmed_in(values) == "150");
}

TEST_CASE("failures that appear change a count of zeros") {
  Points values(80, 0.0);
  values.resize(100, 1.0);
  const Changes changes = change_points(values);
  REQUIRE(listed(changes.confirmed) == "80");
  CHECK(changes.confirmed[0].absolute);
  CHECK(changes.confirmed[0].before == 0);
  CHECK(changes.confirmed[0].after == 1);
  CHECK(changes.confirmed[0].effect == 1);
}

TEST_CASE("one zero makes a series absolute, with effects relative to the level before") {
  Points values = noisy_levels({{60, 100}, {60, 110}}, 14);
  values[10] = 0;
  const Changes changes = change_points(values);
  REQUIRE(listed(changes.confirmed) == "60");
  CHECK(changes.confirmed[0].absolute);
  CHECK(changes.confirmed[0].before == doctest::Approx(100).epsilon(0.05));
}

TEST_CASE("what is no number is skipped and counted, and still numbered") {
  Points values = noisy_levels({{40, 100}, {40, 120}}, 15);
  values.insert(values.begin() + 10, {kNoNumber, kBeyondNumbers, -kBeyondNumbers, 1e200});
  values.insert(values.begin() + 44, kNoNumber);
  const Changes changes = change_points(values);
  CHECK(changes.skipped == 5);
  REQUIRE(listed(changes.confirmed) == "45");
  CHECK(changes.confirmed[0].adjacent_before.end == 44);
  CHECK(change_points(Points(50, kNoNumber)).skipped == 50);
}

TEST_CASE("huge ranges stay numbers") {
  Points values = noisy_levels({{50, 1e-300}, {50, 1e150}, {50, 1e-300}}, 16);
  for (double& value : values) value = std::min(value, 1e150);
  CHECK(confirmed_in(values) == "50 100");
  Points signs;
  for (std::size_t i = 0; i < 100; ++i)
    signs.push_back((i < 50 ? 1 : -1) * (1e149 + 1e147 * static_cast<double>(i % 5)));
  const Changes changes = change_points(signs);
  REQUIRE(listed(changes.confirmed) == "50");
  CHECK(changes.confirmed[0].effect == doctest::Approx(-2).epsilon(0.05));
}

TEST_CASE("points under another label are not compared") {
  const Points values = noisy_levels({{50, 100}, {50, 130}, {50, 150}}, 17);
  std::vector<std::uint32_t> labels(150, 4);
  for (std::size_t i = 50; i < 100; ++i) labels[i] = 9;
  const Changes changes = change_points(values, labels);
  CHECK(listed(changes.splits) == "50 100");
  CHECK(changes.confirmed.empty());
}

TEST_CASE("changes before and after a split are both told, suspects while they are fresh") {
  Points values = noisy_levels({{50, 100}, {50, 120}, {40, 300}, {40, 360}}, 18);
  std::vector<std::uint32_t> labels(100, 0);
  labels.resize(180, 1);
  const Changes changes = change_points(values, labels);
  REQUIRE(listed(changes.confirmed) == "50 140");
  CHECK(changes.confirmed[1].adjacent_before.begin == 120);

  values = noisy_levels({{100, 1000}, {4, 1022}, {25, 500}}, 5);
  labels.assign(104, 0);
  labels.resize(129, 1);
  CHECK(listed(change_points(std::span(values).first(110), labels).suspects) == "101");
  for (const ChangePoint& suspect : change_points(values, labels).suspects) CHECK(suspect.index > 104);
}

TEST_CASE("a label that changes with every point leaves nothing to compare") {
  const Points values = noisy_levels({{100, 100}, {100, 200}}, 19);
  std::vector<std::uint32_t> labels;
  for (std::uint32_t i = 0; i < 200; ++i) labels.push_back(i % 2);
  const Changes changes = change_points(values, labels);
  CHECK(changes.splits.size() == 199);
  CHECK(changes.confirmed.empty());
}

TEST_CASE("a new level is watched within a few points, also of a series that was constant") {
  SeriesHistory history;
  for (const double value : noisy_levels({{100, 1000}}, 20)) history.append(value);
  CHECK_FALSE(history.newest_suspect());
  for (const double value : noisy_levels({{4, 1100}}, 21)) history.append(value);
  REQUIRE(history.newest_suspect());
  CHECK(*history.newest_suspect() == 100);
  for (const double value : noisy_levels({{40, 1100}}, 22)) history.append(value);
  CHECK_FALSE(history.newest_suspect());

  SeriesHistory constant;
  for (int i = 0; i < 100; ++i) constant.append(5);
  CHECK_FALSE(constant.newest_suspect());
  for (int i = 0; i < 6; ++i) constant.append(6);
  REQUIRE(constant.newest_suspect());
  CHECK(*constant.newest_suspect() == 100);
}

TEST_CASE("false alarms are as rare as promised: at most .1 per 1,000 points, independent or remembering") {
  std::mt19937_64 random(23);
  std::normal_distribution<double> normal;
  for (const double memory : {0.0, 0.5}) {
    CAPTURE(memory);
    std::size_t alarms = 0;
    for (int series = 0; series < 60; ++series) {
      Points values;
      double last = normal(random);
      for (int i = 0; i < 250; ++i) {
        last = memory * last + std::sqrt(1 - memory * memory) * normal(random);
        values.push_back(std::exp(0.02 * last));
      }
      alarms += change_points(values).confirmed.size();
    }
    CHECK(alarms <= 5);  // of 15,000 points; more than 5 have a chance of .004 at the promised rate
  }
}

TEST_CASE("steps of three scales are suspected within five points nearly always") {
  int watched = 0;
  int suspected = 0;
  constexpr int kTries = 100;
  for (std::uint64_t seed = 100; seed < 100 + kTries; ++seed) {
    SeriesHistory history;
    for (const double value : noisy_levels({{60 + seed % 50, 1000}, {5, 1030.45}}, seed))
      history.append(value);
    const std::size_t at = 60 + seed % 50;
    watched += history.newest_suspect().value_or(0) + 5 >= at ? 1 : 0;
    const Changes changes = history.changes();
    suspected += changes.suspects.size() + changes.confirmed.size() > 0 ? 1 : 0;
  }
  CHECK(watched >= 88);  // at a chance of .95, fewer have one of .002
  CHECK(suspected >= 88);
}

}  // namespace
}  // namespace kilter::analyse
