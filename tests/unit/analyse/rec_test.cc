#include "analyse/rec.h"

#include "analyse/classic_tests.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <limits>
#include <random>

namespace kilter::analyse {
namespace {

using Reals = std::vector<double>;

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();
constexpr double kWithoutEnd = std::numeric_limits<double>::infinity();

constexpr double kNineDigits = 1e-9;

// Of `value`, against what it should be: doctest's own comparison is not relative for small numbers.
double off(double value, double expected) {
  return value == expected ? 0 : std::abs(value - expected) / std::abs(expected);
}

// A metric with its history, drawn from one noise.
struct Drawn {
  Reals a;
  Reals b;
  std::vector<Reals> builds;

  [[nodiscard]] std::vector<std::span<const double>> history() const {
    return {builds.begin(), builds.end()};
  }
};

RecResult tested(const Drawn& drawn, const RecPriors& priors = {}) {
  return rec_test(rec_samples({.a = drawn.a, .b = drawn.b, .history = drawn.history()}).value(), priors);
}

Drawn draw(std::mt19937& random, std::size_t runs, std::size_t builds, double shift = 0) {
  std::normal_distribution<double> noise(0, 0.01);
  const auto side = [&](double level) {
    Reals samples;
    for (std::size_t i = 0; i < runs; ++i) samples.push_back(level * std::exp(noise(random)));
    return samples;
  };
  Drawn drawn{.a = side(1000), .b = side(1000 * (1 + shift))};
  for (std::size_t i = 0; i < builds; ++i) drawn.builds.push_back(side(1000));
  return drawn;
}

Reals logarithms(Reals values) {
  for (double& value : values) value = std::log(value);
  return values;
}

void check_golden(const nlohmann::json& golden) {
  Drawn drawn{.a = golden["a"], .b = golden["b"]};
  if (!golden["history"].is_null()) drawn.builds = golden["history"];
  RecPriors priors;
  if (!golden["prior"].is_null()) priors.variance = {.value = golden["prior"][1], .df = golden["prior"][0]};
  const RecResult result = tested(drawn, priors);
  const nlohmann::json& expected = golden["rec"];
  CHECK(off(result.effect, expected["effect"]) <= kNineDigits);
  // The reference's own quantile of t has nine digits: what is left of them after a subtraction is no bar.
  CHECK(off(result.effect - result.low, result.effect - double(expected["ci"][0])) <= kNineDigits);
  CHECK(off(result.high - result.effect, double(expected["ci"][1]) - result.effect) <= kNineDigits);
  CHECK(off(result.p, expected["p"]) <= kNineDigits);
  CHECK(off(result.df, expected["df"]) <= kNineDigits);
  CHECK(off(result.se, expected["se"]) <= kNineDigits);
  CHECK(off(result.shift, expected["logshift"]) <= kNineDigits);
  CHECK(off(result.s, expected["s"]) <= kNineDigits);
  CHECK(off(result.tau, expected["tau"]) <= kNineDigits);
  CHECK(result.multimodal == bool(expected["multimodal"]));
  CHECK(off(welch(logarithms(drawn.a), logarithms(drawn.b)), golden["welch_p_log"]) <= kNineDigits);
  CHECK(off(mann_whitney(drawn.a, drawn.b), golden["mwu_exact_p"]) <= kNineDigits);
}

TEST_CASE("the reference vectors are met to nine digits") {
  std::ifstream file(TESTS_DIR "/golden/analyse/two_sample.json");
  const nlohmann::json vectors = nlohmann::json::parse(file);
  REQUIRE(vectors.size() == 5);
  for (const nlohmann::json& golden : vectors) {
    CAPTURE(std::string(golden["name"]));
    check_golden(golden);
  }
}

TEST_CASE("an outlier is flagged and hides no change") {
  const Drawn drawn{.a = {100, 100.4, 99.7, 100.1, 118},
                    .b = {98.1, 98.5, 97.9, 98.2, 98.0},
                    .builds = {{100.2, 99.8, 100.1}, {100.5, 100.1, 99.9}, {99.7, 100.3, 100.0}}};
  const RecResult result = tested(drawn);
  CHECK(result.a.flagged == 1);
  CHECK(result.b.flagged == 0);
  CHECK(result.p < 1e-4);
  CHECK(welch(drawn.a, drawn.b) > 0.1);
}

TEST_CASE("of few runs, a flagged one makes no change and hides none") {
  const std::vector<Reals> builds(8, Reals{100.21, 99.83, 100.02, 99.92, 100.11});
  const RecResult made =
      tested({.a = {100.31, 99.94, 100.07}, .b = {100.52, 99.98, 103.77}, .builds = builds});
  CHECK(made.b.flagged == 1);
  CHECK(made.b.n == 3);
  CHECK(made.p > 0.05);
  const RecResult real =
      tested({.a = {100.31, 99.94, 100.07}, .b = {103.12, 102.88, 119.77}, .builds = builds});
  CHECK(real.b.flagged == 1);
  CHECK(real.p < 1e-6);
  CHECK(real.effect < 0.04);
}

TEST_CASE("swapping the sides turns the effect around and nothing else") {
  std::mt19937 random(3);
  const Drawn drawn = draw(random, 5, 12, 0.02);
  const RecResult forth = tested(drawn);
  const RecResult back = tested({.a = drawn.b, .b = drawn.a, .builds = drawn.builds});
  CHECK(off(back.p, forth.p) <= kNineDigits);
  CHECK(off(back.se, forth.se) <= kNineDigits);
  CHECK(off(1 + back.effect, 1 / (1 + forth.effect)) <= kNineDigits);
  CHECK(off(1 + back.low, 1 / (1 + forth.high)) <= kNineDigits);
}

Reals scaled(Reals values, double factor, double shift = 0) {
  for (double& value : values) value = value * factor + shift;
  return values;
}

Drawn scaled(const Drawn& drawn, double factor, double shift = 0) {
  Drawn changed{.a = scaled(drawn.a, factor, shift), .b = scaled(drawn.b, factor, shift)};
  for (const Reals& build : drawn.builds) changed.builds.push_back(scaled(build, factor, shift));
  return changed;
}

TEST_CASE("the unit of the values does not matter") {
  std::mt19937 random(4);
  const Drawn drawn = draw(random, 4, 10, 0.01);
  const RecResult result = tested(drawn);
  for (const double factor : {1e-9, 0.37, 1e12}) {
    const RecResult other = tested(scaled(drawn, factor));
    CHECK(off(other.effect, result.effect) <= kNineDigits);
    CHECK(other.p == doctest::Approx(result.p).epsilon(1e-7));
    CHECK(other.resolution == doctest::Approx(result.resolution).epsilon(1e-7));
  }
}

TEST_CASE("values that are not all positive are compared as they are: neither unit nor origin matters to p") {
  std::mt19937 random(5);
  const Drawn drawn = scaled(draw(random, 5, 10, 0.01), 1, -1000);
  const RecResult result = tested(drawn);
  CHECK(result.absolute);
  CHECK(off(tested(scaled(drawn, 64)).p, result.p) <= kNineDigits);
  CHECK(tested(scaled(drawn, 1, -500)).p == doctest::Approx(result.p).epsilon(1e-6));
  const RecResult negated = tested(scaled(drawn, -1));
  CHECK(off(negated.shift, -result.shift) <= kNineDigits);
  CHECK(off(negated.p, result.p) <= kNineDigits);
}

TEST_CASE("an absolute effect is relative to the base") {
  CHECK(off(tested({.a = {-100, -101, -99}, .b = {-90, -91, -89}}).effect, 0.1) <= kNineDigits);
  CHECK(off(tested({.a = {0, 0, 0}, .b = {5, 5, 5}}).effect, 1) <= kNineDigits);
  CHECK(tested({.a = {0, 0, 0}, .b = {0, 0, 0}}).effect == 0);
  CHECK(tested({.a = {0, 0, 0}, .b = {0, 0, 0}}).p == 1);
}

// Shifts that can be shown at level .01 with power .9, in units of the runs' scatter, given a long history.
TEST_CASE("the resolution is the known one") {
  std::mt19937 random(6);
  const RecPriors no_builds{.build_ratio = {.value = 1, .df = 1e12}};
  const std::vector<std::pair<std::size_t, double>> known = {{3, 3.42}, {4, 2.96},  {5, 2.64}, {6, 2.41},
                                                             {8, 2.08}, {10, 1.85}, {20, 1.30}};
  for (const auto& [runs, in_scales] : known) {
    const RecResult result = tested(draw(random, runs, 20), no_builds);
    CAPTURE(runs);
    CHECK(std::log1p(result.resolution) / result.s == doctest::Approx(in_scales).epsilon(0.02));
  }
}

TEST_CASE("a metric of one side only is not tested") {
  CHECK_FALSE(rec_samples({.a = Reals{1, 2, 3}, .b = Reals{}}));
  CHECK_FALSE(rec_samples({.a = Reals{kNotANumber, kWithoutEnd}, .b = Reals{1, 2}}));
}

void check_sane(const RecResult& result) {
  CHECK(result.p >= 0);
  CHECK(result.p <= 1);
  CHECK(std::isfinite(result.effect));
  CHECK(result.low <= result.effect);
  CHECK(result.high >= result.effect);
  CHECK(result.resolution >= 0);
}

TEST_CASE("one run a side shows nothing without a history, and what it can with one") {
  const RecResult alone = tested({.a = {100.123}, .b = {150.456}});
  check_sane(alone);
  CHECK(alone.p == 1);
  CHECK(alone.df == 0);
  CHECK(std::isinf(alone.resolution));
  CHECK(alone.low == -1);
  CHECK(std::isinf(alone.high));
  std::mt19937 random(8);
  Drawn drawn = draw(random, 1, 0, 0.5);
  drawn.builds = draw(random, 5, 20).builds;
  CHECK(tested(drawn).p < 1e-6);
  CHECK(tested(drawn).resolution < 0.1);
}

TEST_CASE("what is no number is dropped and counted, and moves nothing") {
  const RecResult clean = tested({.a = {100.3, 101.1, 99.7}, .b = {103.2, 104.9, 102.8}});
  const RecResult dirty = tested(
      {.a = {kNotANumber, 100.3, 101.1, kWithoutEnd, 99.7}, .b = {103.2, -kWithoutEnd, 104.9, 102.8, 1e200}});
  CHECK(dirty.p == clean.p);
  CHECK(dirty.low == clean.low);
  CHECK(dirty.a.dropped == 2);
  CHECK(dirty.b.dropped == 2);
  CHECK(dirty.b.n == 3);
  std::mt19937 random(9);
  Drawn drawn = draw(random, 3, 8);
  const double p = tested(drawn).p;
  drawn.builds[2].push_back(kNotANumber);
  drawn.builds.emplace_back();
  drawn.builds.push_back({kWithoutEnd});
  CHECK(tested(drawn).p == p);
}

TEST_CASE("integers that never move are no change, and their rounding is not taken for precision") {
  check_sane(tested({.a = {7, 7, 7}, .b = {7, 7, 7}}));
  CHECK(tested({.a = {7, 7, 7}, .b = {7, 7, 7}}).p == 1);
  const RecResult step = tested({.a = {7, 7, 7}, .b = {8, 8, 8}});
  CHECK(step.p > 0.01);
  CHECK(step.p < 0.05);
  CHECK(tested({.a = {7, 7, 7}, .b = {70, 70, 70}}).p < 1e-3);
  const std::vector<Reals> still(10, Reals{7, 7, 7});
  check_sane(tested({.a = {7, 7, 7}, .b = {7, 7, 8}, .builds = still}));
  CHECK(tested({.a = {7, 7, 7}, .b = {7, 7, 7}, .builds = still}).p == 1);
  CHECK(tested({.a = {7, 7, 7}, .b = {7, 8, 7}, .builds = still}).p == 1);
}

TEST_CASE("zero variance of computed values is taken at its word") {
  const RecResult same = tested({.a = {1.0 / 3, 1.0 / 3}, .b = {1.0 / 3, 1.0 / 3}});
  CHECK(same.p == 1);
  CHECK(same.low == 0);
  CHECK(same.high == 0);
  const RecResult other = tested({.a = {1.0 / 3, 1.0 / 3}, .b = {2.0 / 3, 2.0 / 3}});
  CHECK(other.p == 0);
  CHECK(off(other.effect, 1) <= kNineDigits);
}

TEST_CASE("a history in which runs agree and builds differ keeps a small step from being a change") {
  Drawn drawn{.a = {100.2371828, 100.2371828}, .b = {100.3371828, 100.3371828}};
  for (const double level : {100.11, 100.32, 100.23, 100.41, 100.17, 100.36, 100.28, 100.2})
    drawn.builds.push_back(Reals(3, level + 0.00371828));
  CHECK(tested(drawn).p > 0.1);
  CHECK(tested(drawn).tau > 0);
}

TEST_CASE("ten thousand values a run, huge and tiny ones, and modes give numbers") {
  std::mt19937 random(10);
  check_sane(tested(draw(random, 10'000, 3)));
  check_sane(tested({.a = {1e-300, 2e-300, 1.5e-300}, .b = {1e149, 2e149, 1.5e149}}));
  check_sane(tested({.a = {1e149, 2e149, 1.5e149}, .b = {1e-300, 2e-300, 1.5e-300}}));
  check_sane(tested({.a = {-1e149, 1e149, 5}, .b = {1e149, -1e149, 7}}));
  Drawn modes{.a = {100.01, 130.02, 100.03, 99.9}, .b = {130.2, 99.8, 130.1, 100.9}};
  for (int i = 0; i < 12; ++i) modes.builds.push_back({100.1 + i * 1e-3, 130.2, 99.9, 100.4 + i * 1e-3, 100});
  const RecResult result = tested(modes);
  check_sane(result);
  CHECK(result.multimodal);
  CHECK(result.p > 0.2);
}

TEST_CASE("a clock that jumped in one run of five makes no change") {
  std::mt19937 random(12);
  Drawn drawn = draw(random, 5, 15);
  drawn.b[2] *= 3600;
  const RecResult result = tested(drawn);
  CHECK(result.b.flagged == 1);
  CHECK(result.p > 0.01);
  CHECK(std::abs(result.effect) < 0.02);
}

// 1,000 tries at level .05: 50 are expected, 25 or 80 would be 3.6 standard deviations off.
TEST_CASE("without a change one in twenty is called changed at level .05") {
  std::mt19937 random(13);
  int called = 0;
  for (int i = 0; i < 1000; ++i)
    if (tested(draw(random, 5, 20), {.build_ratio = {.value = 1, .df = 1e12}}).p < 0.05) ++called;
  CHECK(called > 25);
  CHECK(called < 80);
}

TEST_CASE("a shift as large as the resolution is shown nine times of ten at level .01") {
  std::mt19937 random(14);
  int shown = 0;
  for (int i = 0; i < 300; ++i)
    if (tested(draw(random, 5, 20, 0.0267), {.build_ratio = {.value = 1, .df = 1e12}}).p < 0.01) ++shown;
  CHECK(shown > 250);
  CHECK(shown < 290);
}

TEST_CASE("priors of many metrics come from the metrics") {
  std::mt19937 random(15);
  std::vector<RecSamples> metrics;
  std::vector<Drawn> drawn;
  for (int i = 0; i < 60; ++i) drawn.push_back(draw(random, 3, i < 40 ? 8 : 0));
  for (const Drawn& one : drawn)
    metrics.push_back(rec_samples({.a = one.a, .b = one.b, .history = one.history()}).value());
  const RecPriors priors = fit_rec_priors(metrics);
  REQUIRE(priors.variance);
  CHECK(std::sqrt(priors.variance->value) == doctest::Approx(0.01).epsilon(0.2));
  CHECK(priors.variance->df > 10);
  CHECK(priors.build_ratio.value == doctest::Approx(1).epsilon(0.3));
  CHECK(priors.build_ratio.df > 5);
  CHECK_FALSE(fit_rec_priors({}).variance);
  CHECK(fit_rec_priors({}).build_ratio.df == kBuildRatioPrior.df);
}

}  // namespace

TEST_CASE("of samples in pairs, what falls on both of a pair drops out") {
  const std::vector<double> a = {100, 150, 120, 200, 90, 170};
  std::vector<double> b;
  for (std::size_t i = 0; i < a.size(); ++i) b.push_back(a[i] * (i % 2 == 0 ? 1.031 : 1.029));
  const std::optional<RecSamples> samples = rec_samples({.a = a, .b = b});
  REQUIRE(samples);
  const RecResult paired = paired_test(*samples);
  CHECK(paired.effect == doctest::Approx(0.03).epsilon(0.01));
  CHECK(paired.p < 1e-6);
  CHECK(paired.df == 5);
  CHECK(paired.low > 0.025);
  CHECK(paired.high < 0.035);
  CHECK(rec_test(*samples).p > 0.5);
}

TEST_CASE("one pair tells nothing of the scatter, equal pairs are as sure as their rounding") {
  const std::vector<double> one = {1.5};
  CHECK(paired_test(*rec_samples({.a = one, .b = one})).p == 1);
  CHECK(paired_test(*rec_samples({.a = one, .b = one})).resolution ==
        std::numeric_limits<double>::infinity());
  const std::vector<double> a(5, 1000);
  const std::vector<double> b(5, 1100);
  CHECK(paired_test(*rec_samples({.a = a, .b = b})).p < 1e-6);
  CHECK(paired_test(*rec_samples({.a = a, .b = a})).effect == 0);
}

TEST_CASE("neighbours are alike in a slow wave and unlike in a saw") {
  std::vector<double> wave;
  std::vector<double> saw;
  for (int i = 0; i < 40; ++i) {
    wave.push_back(std::sin(i * 0.2));
    saw.push_back(i % 2);
  }
  CHECK(lag_one_correlation(wave) > 0.8);
  CHECK(lag_one_correlation(saw) < -0.8);
  CHECK(lag_one_correlation(std::vector<double>(9, 3)) == 0);
  CHECK(lag_one_correlation({}) == 0);
}

}  // namespace kilter::analyse
