#include "analyse/order_statistics.h"

#include "analyse/value_step.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace kilter::analyse {
namespace {

using Reals = std::vector<double>;

TEST_CASE("the median of an even count is the mean of the middle two") {
  CHECK(median(Reals{}) == 0);
  CHECK(median(Reals{7}) == 7);
  CHECK(median(Reals{3, 1, 2}) == 2);
  CHECK(median(Reals{4, 1, 3, 2}) == 2.5);
}

TEST_CASE("medians and quantiles are those of the sorted values, ties and sizes of all kinds") {
  std::mt19937 random(3);
  for (const std::size_t size : {2U, 8U, 9U, 40U, 201U, 1024U, 3000U})
    for (const unsigned different : {1U, 2U, 7U, 1'000'000U}) {
      Reals values;
      for (std::size_t i = 0; i < size; ++i) values.push_back(static_cast<double>(random() % different) - 3);
      Reals sorted = values;
      std::ranges::sort(sorted);
      CHECK(median(values) == (sorted[(size - 1) / 2] + sorted[size / 2]) / 2);
      const double place = 0.9 * static_cast<double>(size - 1);
      const std::size_t below = static_cast<std::size_t>(place);
      CHECK(quantile_in_place(values, 0.9) ==
            doctest::Approx(std::lerp(sorted[below], sorted[std::min(below + 1, size - 1)],
                                      place - static_cast<double>(below))));
    }
}

TEST_CASE("quantiles lie between order statistics") {
  Reals values = {50, 10, 40, 20, 30};
  CHECK(quantile_in_place(values, 0) == 10);
  CHECK(quantile_in_place(values, 0.9) == doctest::Approx(46));
  CHECK(quantile_in_place(values, 1) == 50);
}

// Ten thousand values a side: 10^8 differences, which are searched instead of listed.
TEST_CASE("the median difference of many values is that of all pairs") {
  std::mt19937 random(7);
  const auto samples = [&](std::size_t count) {
    Reals values;
    for (std::size_t i = 0; i < count; ++i) values.push_back(static_cast<double>(random()) / 1e9 - 2);
    return values;
  };
  for (const std::size_t n : {65U, 70U}) {  // an odd and an even number of pairs, both beyond the list
    const Reals a = samples(n);
    const Reals b = samples(65);
    Reals all;
    for (const double to : b)
      for (const double from : a) all.push_back(to - from);
    CHECK(median_difference(a, b) == median(all));
  }
  const Reals many = samples(10'000);
  Reals shifted = many;
  for (double& value : shifted) value += 0.25;
  CHECK(median_difference(many, shifted) == doctest::Approx(0.25).epsilon(1e-3));
  CHECK(median_difference(Reals(5000, 3.0), Reals(5000, 3.0)) == 0);
  CHECK(median_difference(Reals(5000, 3.0), Reals(5000, -4.0)) == -7);
}

TEST_CASE("medians cost variance, which the tables know") {
  CHECK(median_variance(1) == 1);
  CHECK(median_variance(2) == 0.5);
  CHECK(median_variance(3) == 0.4487);
  CHECK(median_variance(1000) == doctest::Approx(1.5708e-3).epsilon(1e-3));
  CHECK(median_sum_squares(3) == doctest::Approx(2 + 3 * (0.4487 - 1.0 / 3)));
  CHECK(shift_inflation(3) == 1.110);
  CHECK(shift_inflation(50) == 1.07);
}

TEST_CASE("the step of rounded values is found, computed values have none") {
  CHECK(common_step({Reals{5, 6, 7}}) == 1);
  CHECK(common_step({Reals{5, 6.5}, Reals{7}}) == doctest::Approx(0.1));
  CHECK(common_step({Reals{4.35, 0.07, -12.01}}) == doctest::Approx(0.01));
  CHECK(common_step({Reals{1.0 / 3}}) == 0);
  CHECK(common_step({Reals{2.5, 3.14159265358979}}) == 0);
}

}  // namespace
}  // namespace kilter::analyse
