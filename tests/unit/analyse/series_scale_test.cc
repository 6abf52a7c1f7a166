#include "analyse/series_scale.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

namespace kilter::analyse {
namespace {

std::vector<double> gaussian_points(std::size_t count, double memory, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::vector<double> values;
  double last = normal(random);
  for (std::size_t i = 0; i < count; ++i) {
    last = memory * last + std::sqrt(1 - memory * memory) * normal(random);
    values.push_back(last);
  }
  return values;
}

TEST_CASE("the scale of normal noise is its standard deviation, whatever the steps and spikes") {
  std::vector<double> values = gaussian_points(4000, 0, 1);
  CHECK(robust_scale(values) == doctest::Approx(1).epsilon(0.06));
  for (std::size_t i = 1000; i < 2500; ++i) values[i] += 50;
  for (std::size_t i = 0; i < values.size(); i += 40) values[i] += 1000;
  CHECK(robust_scale(values) == doctest::Approx(1).epsilon(0.12));
}

TEST_CASE("the scale of a few points is 1.0484 times their median difference") {
  CHECK(robust_scale(std::vector<double>{1, 3, 2, 6}) == doctest::Approx(1.4826 * 2 / std::sqrt(2)));
  CHECK(robust_scale(std::vector<double>{1, 3, 2}) == doctest::Approx(1.4826 * 1.5 / std::sqrt(2)));
}

TEST_CASE("nothing scatters in an empty, a single, or a constant series") {
  CHECK(robust_scale({}) == 0);
  CHECK(robust_scale(std::vector<double>{5}) == 0);
  CHECK(robust_scale(std::vector<double>(100, 5.0)) == 0);
}

TEST_CASE("integers that move rarely have a small scale") {
  std::vector<double> values(101, 5.0);
  values[50] = 9;  // 2 of 100 differences are 4
  CHECK(robust_scale(values) == doctest::Approx(1.4826 * 4 / std::sqrt(2) * std::sqrt(0.02)));
}

TEST_CASE("residual noise is pooled over segments, and remembers") {
  const std::vector<double> values = {1, 3, 1, 3, 11, 13, 11, 13};
  const ResidualNoise split = residual_noise(values, std::vector<std::size_t>{4});
  CHECK(split.variance == doctest::Approx(8.0 / 6));
  CHECK(split.correlation == 0);
  const ResidualNoise whole = residual_noise(values, {});
  CHECK(whole.variance == doctest::Approx(208.0 / 7));
  const double measured = (24.0 + 24 + 24 - 16 + 24 + 24 + 24) / 208;
  CHECK(whole.correlation == doctest::Approx(measured + 0.5 / 8 * (1 + 3 * measured)));
}

TEST_CASE("the correlation of an AR series is found") {
  CHECK(residual_noise(gaussian_points(5000, 0.5, 2), {}).correlation == doctest::Approx(0.5).epsilon(0.1));
  CHECK(residual_noise(gaussian_points(5000, 0, 3), {}).correlation < 0.05);
  CHECK(residual_noise(gaussian_points(5000, 0.99, 4), {}).correlation == doctest::Approx(0.9));
}

TEST_CASE("residuals of nothing have no variance") {
  CHECK(residual_noise({}, {}).variance == 0);
  CHECK(residual_noise(std::vector<double>{1}, {}).long_run_variance() == 0);
  CHECK(residual_noise(std::vector<double>{2, 2, 2}, {}).long_run_variance() == 0);
}

TEST_CASE("a spike is cut off, a step stays") {
  const std::vector<double> values = {0, 0, 0, 100, 0, 0, 0, 0, 50, 50, 50, 50, 50};
  const std::vector<double> clipped = winsorised(values, 3);
  CHECK(clipped[3] == 3);
  CHECK(clipped == std::vector<double>{0, 0, 0, 3, 0, 0, 0, 0, 50, 50, 50, 50, 50});
}

TEST_CASE("ends have fewer neighbours") {
  CHECK(winsorised({}, 3).empty());
  CHECK(winsorised(std::vector<double>{7}, 3) == std::vector<double>{7});
  // Median of the first four: 15.
  CHECK(winsorised(std::vector<double>{0, 10, 20, 30, 40}, 3)[0] == 12);
}

}  // namespace
}  // namespace kilter::analyse
