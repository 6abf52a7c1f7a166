#include "analyse/history_scale.h"

#include "analyse/distributions.h"
#include "analyse/fit_f_dist.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace kilter::analyse {
namespace {

using Builds = std::vector<std::vector<double>>;

std::vector<std::span<const double>> views(const Builds& builds) {
  return {builds.begin(), builds.end()};
}

struct BuildNoise {
  double run = 1;
  double build = 0;
  double second_mode = 0;  // a fifth of the runs is so much higher
};

Builds made_builds(std::size_t builds, std::size_t runs, const BuildNoise& noise, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  Builds made(builds);
  for (std::vector<double>& build : made) {
    const double level = 10 + noise.build * normal(random);
    for (std::size_t i = 0; i < runs; ++i)
      build.push_back(level + noise.run * normal(random) + (random() % 5 == 0 ? noise.second_mode : 0));
  }
  return made;
}

HistoryScale scale_of(const Builds& builds) {
  return history_scale(views(builds)).value();
}

TEST_CASE("the scale of a history is that of its runs") {
  const HistoryScale scale = scale_of(made_builds(20, 5, {.run = 2}, 1));
  CHECK(std::sqrt(scale.variance) == doctest::Approx(2).epsilon(0.2));
  CHECK(scale.df == 80);
  CHECK_FALSE(scale.multimodal);
  CHECK(scale.compared);
}

TEST_CASE("one wild run in a history hardly moves its scale") {
  Builds builds = made_builds(20, 5, {}, 2);
  const double before = std::sqrt(scale_of(builds).variance);
  builds[7][3] += 1000;
  CHECK(std::sqrt(scale_of(builds).variance) < 1.15 * before);
}

TEST_CASE("two modes are seen, and nothing is clipped then") {
  const HistoryScale scale = scale_of(made_builds(20, 5, {.run = 0.1, .second_mode = 5}, 3));
  CHECK(scale.multimodal);
  CHECK(std::isinf(scale.clip));
  CHECK(std::sqrt(scale.variance) == doctest::Approx(5 * 0.4).epsilon(0.15));
}

TEST_CASE("only the last twenty builds count") {
  Builds builds = made_builds(30, 4, {.run = 50}, 4);
  const Builds last = made_builds(20, 4, {}, 5);
  builds.insert(builds.end(), last.begin(), last.end());
  CHECK(scale_of(builds).variance == scale_of(last).variance);
}

TEST_CASE("a history needs a build of two runs, and six builds to compare them") {
  CHECK_FALSE(history_scale(History{}));
  CHECK_FALSE(history_scale(views({{1}, {2}, {3}})));
  CHECK_FALSE(scale_of(made_builds(5, 3, {}, 6)).compared);
  CHECK(scale_of(made_builds(6, 3, {}, 6)).compared);
  CHECK(history_scale(views({{}, {1, 2, 4}, {}}))->df == 2);
}

TEST_CASE("what builds add to their runs is measured") {
  double with = 0;
  double without = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    with +=
        build_effect(scale_of(made_builds(20, 5, {.build = 1}, 10 + seed)), kBuildRatioPrior).variance / 40;
    without += build_effect(scale_of(made_builds(20, 5, {}, 60 + seed)), kBuildRatioPrior).variance / 40;
  }
  CHECK(with == doctest::Approx(0.8).epsilon(0.35));  // of 1, moderated towards none
  CHECK(without < 0.1);
}

TEST_CASE("builds that differ while their runs never do have an effect too") {
  Builds builds;
  for (const double level : {1.0, 3.0, 2.0, 5.0, 4.0, 4.5, 2.5, 3.5}) builds.push_back({level, level, level});
  const HistoryScale scale = scale_of(builds);
  CHECK(scale.variance == 0);
  CHECK_FALSE(scale.build_ratio());
  CHECK(build_effect(scale, kBuildRatioPrior).variance > 0.3);
}

TEST_CASE("a prior that is sure decides") {
  const HistoryScale scale = scale_of(made_builds(20, 5, {.build = 1}, 9));
  CHECK(build_effect(scale, {.value = 1, .df = 1e12}).variance == doctest::Approx(0).epsilon(1e-6));
  CHECK(build_effect(scale, {.value = 3, .df = 1e12}).variance == doctest::Approx(scale.sampling));
}

// value * F(df, prior df) drawn from two gamma variables.
std::vector<ScaledEstimate> drawn_estimates(double value, double prior_df, double df) {
  std::mt19937 random(11);
  std::gamma_distribution<double> own(df / 2, 2 / df);
  std::gamma_distribution<double> prior(prior_df / 2, 2 / prior_df);
  std::vector<ScaledEstimate> estimates;
  for (int i = 0; i < 20'000; ++i)
    estimates.push_back({.value = value * own(random) / prior(random), .df = df});
  return estimates;
}

TEST_CASE("a fitted prior is the one that the estimates were drawn from") {
  const ScalePrior prior = fit_f_dist(drawn_estimates(4, 8, 6), 0).value();
  CHECK(prior.value == doctest::Approx(4).epsilon(0.03));
  CHECK(prior.df == doctest::Approx(8).epsilon(0.1));
}

TEST_CASE("estimates that agree too well give the surest prior there is") {
  const std::vector<ScaledEstimate> same(50, {.value = 2, .df = 10});
  const ScalePrior prior = fit_f_dist(same, 0).value();
  CHECK(prior.df == kMostPriorDf);
  CHECK(prior.value == doctest::Approx(2 * std::exp(std::log(5) - digamma(5))));
}

TEST_CASE("few estimates, and those that are none, give no prior") {
  std::vector<ScaledEstimate> estimates(9, {.value = 2, .df = 10});
  CHECK_FALSE(fit_f_dist(estimates, 0));
  estimates.push_back({.value = std::numeric_limits<double>::quiet_NaN(), .df = 10});
  estimates.push_back({.value = 3, .df = 0});
  estimates.push_back({.value = 0, .df = 10});
  CHECK_FALSE(fit_f_dist(estimates, 0));
  CHECK(fit_f_dist(estimates, 1e-3));  // the zero, raised
}

}  // namespace
}  // namespace kilter::analyse
