#include "analyse/drift.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

using namespace kilter::analyse;

namespace {

std::vector<TimedSample> noisy(double slope, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> noise(0, 1);
  std::vector<TimedSample> samples;
  for (std::size_t i = 0; i < 40; ++i)
    samples.push_back({i % 4, double(i), double(i % 4) * 50 + slope * double(i) + noise(random)});
  return samples;
}

}  // namespace

TEST_CASE("a drift is found whatever the levels of what was measured") {
  const Drift drift = drift_of(noisy(.2, 1)).value();
  CHECK(drift.slope == doctest::Approx(.2).epsilon(.2));
  CHECK(drift.df == 35);
  CHECK(is_evident(drift));
}

TEST_CASE("without a drift hardly any is evident") {
  int evident = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) evident += is_evident(*drift_of(noisy(0, seed)));
  CHECK(evident <= 1);
}

TEST_CASE("an exact line is as sure as can be, a constant is none") {
  std::vector<TimedSample> line;
  for (std::size_t i = 0; i < 12; ++i) line.push_back({0, double(i), 2.0 * double(i)});
  CHECK(drift_of(line)->slope == doctest::Approx(2));
  CHECK(is_evident(*drift_of(line)));
  for (TimedSample& sample : line) sample.value = 7;
  CHECK(drift_of(line)->t == 0);
}

TEST_CASE("too few samples, one time, and no numbers show no drift") {
  std::vector<TimedSample> samples(12, {0, 1, 1});
  CHECK_FALSE(drift_of(samples));
  CHECK_FALSE(drift_of(std::vector<TimedSample>(5)));
  CHECK_FALSE(drift_of({}));
  for (std::size_t i = 0; i < samples.size(); ++i) samples[i].time = double(i);
  samples[3].value = std::numeric_limits<double>::quiet_NaN();
  CHECK_FALSE(drift_of(samples));
}
