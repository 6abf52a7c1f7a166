#include "analyse/pelt.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace kilter::analyse {
namespace {

using Places = std::vector<std::size_t>;

Pelt fitted(const std::vector<double>& values, double penalty, std::size_t least_segment = kLeastSegment) {
  Pelt fit(penalty, least_segment);
  for (const double value : values) fit.append(value);
  return fit;
}

double cost_of(const std::vector<double>& values, const Places& breaks, double penalty) {
  double total = penalty * static_cast<double>(breaks.size());
  for (std::size_t k = 0; k <= breaks.size(); ++k) {
    const std::size_t begin = k == 0 ? 0 : breaks[k - 1];
    const std::size_t end = k == breaks.size() ? values.size() : breaks[k];
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum += values[i];
    const double mean = sum / static_cast<double>(end - begin);
    for (std::size_t i = begin; i < end; ++i) total += (values[i] - mean) * (values[i] - mean);
  }
  return total;
}

// Optimal partitioning without any pruning.
double least_cost(const std::vector<double>& values, double penalty, std::size_t least_segment) {
  PrefixSums sums;
  for (const double value : values) sums.append(value);
  std::vector<double> best(values.size() + 1, std::numeric_limits<double>::infinity());
  best[0] = -penalty;
  for (std::size_t end = least_segment; end <= values.size(); ++end)
    for (std::size_t start = 0; start + least_segment <= end; ++start)
      best[end] = std::min(best[end], best[start] + sums.cost(start, end) + penalty);
  return best.back();
}

struct DrawnSeries {
  std::vector<double> values;
  double penalty = 0;
  std::size_t least_segment = 0;
};

// Noise of several kinds with steps of several sizes.
DrawnSeries draw_case(std::mt19937_64& random) {
  DrawnSeries drawn;
  std::normal_distribution<double> normal;
  const std::size_t points = 5 + random() % 150;
  const std::size_t level_points = 3 + random() % 60;
  const double step = static_cast<double>(random() % 8);
  const bool whole = random() % 3 == 0;
  double level = 0;
  for (std::size_t i = 0; i < points; ++i) {
    if (i % level_points == 0) level = step * normal(random);
    const double value = level + normal(random);
    drawn.values.push_back(whole ? std::round(value) : value);
  }
  drawn.penalty = 1 + static_cast<double>(random() % 20);
  drawn.least_segment = 1 + random() % 5;
  return drawn;
}

TEST_CASE("one step is found where it is") {
  const Pelt fit = fitted({0, 1, 0, 1, 0, 10, 11, 10, 11}, 5);
  CHECK(fit.breaks() == Places{5});
  CHECK(fit.last_break() == 5);
  CHECK(fit.cost() == doctest::Approx(1.2 + 1 + 5));
}

TEST_CASE("segments have at least three points") {
  CHECK(fitted({0, 0, 0, 0, 100, 0, 0, 0, 0}, 5).breaks() != Places{4, 5});
  CHECK(fitted({0, 0, 0, 0, 100, 0, 0, 0, 0}, 5, 1).breaks() == Places{4, 5});
  CHECK(fitted({0, 0, 0, 9, 9}, 5).breaks().empty());
  CHECK(fitted({0, 0, 0, 9, 9, 9}, 5).breaks() == Places{3});
}

TEST_CASE("fewer points than a segment are no partition") {
  CHECK(Pelt(5).breaks().empty());
  CHECK(fitted({1}, 5).breaks().empty());
  CHECK(fitted({1, 50}, 5).breaks().empty());
  CHECK(fitted({1, 50, 2}, 5).breaks().empty());
}

TEST_CASE("a constant series is one segment") {
  const Pelt fit = fitted(std::vector<double>(500, 3.25), 5);
  CHECK(fit.breaks().empty());
  CHECK(fit.cost() == 0);
}

TEST_CASE("pruning loses nothing: the cost is the least of all partitions, and that of the breaks") {
  std::mt19937_64 random(7);
  for (int i = 0; i < 150; ++i) {
    const DrawnSeries drawn = draw_case(random);
    CAPTURE(i);
    const Pelt fit = fitted(drawn.values, drawn.penalty, drawn.least_segment);
    if (drawn.values.size() < drawn.least_segment) continue;
    CHECK(fit.cost() ==
          doctest::Approx(least_cost(drawn.values, drawn.penalty, drawn.least_segment)).epsilon(1e-9));
    CHECK(cost_of(drawn.values, fit.breaks(), drawn.penalty) == doctest::Approx(fit.cost()).epsilon(1e-9));
  }
}

TEST_CASE("a reversed series has the mirrored partition") {
  std::mt19937_64 random(8);
  for (int i = 0; i < 50; ++i) {
    DrawnSeries drawn = draw_case(random);
    if (drawn.values.size() < drawn.least_segment) continue;
    CAPTURE(i);
    const double forwards = fitted(drawn.values, drawn.penalty, drawn.least_segment).cost();
    std::ranges::reverse(drawn.values);
    CHECK(fitted(drawn.values, drawn.penalty, drawn.least_segment).cost() ==
          doctest::Approx(forwards).epsilon(1e-9));
  }
  const std::vector<double> steps = {1, 2, 1, 2, 9, 8, 9, 20, 21, 20, 21, 20};
  CHECK(fitted(steps, 5).breaks() == Places{4, 7});
  CHECK(fitted({steps.rbegin(), steps.rend()}, 5).breaks() == Places{5, 8});
}

TEST_CASE("candidates stay few while nothing changes") {
  std::mt19937_64 random(9);
  std::normal_distribution<double> normal;
  Pelt fit(40);
  std::size_t most = 0;
  for (int i = 0; i < 20'000; ++i) {
    fit.append(normal(random));
    most = std::max(most, fit.candidates());
  }
  CHECK(fit.breaks().empty());
  CHECK(most < 100);
}

TEST_CASE("points that were tried can be taken back") {
  std::mt19937_64 random(10);
  std::normal_distribution<double> normal;
  Pelt plain(12);
  Pelt tried(12);
  Pelt::Mark before;
  for (int i = 0; i < 300; ++i) {
    const double value = normal(random) + (i / 70 % 2 == 0 ? 0 : 4);
    plain.append(value);
    tried.append(value);
    tried.mark(before);
    for (int k = 0; k < 5; ++k) tried.append(100.0 * k);
    tried.rewind(before);
    REQUIRE(tried.cost() == plain.cost());
  }
  CHECK(tried.breaks() == plain.breaks());
  CHECK(tried.candidates() == plain.candidates());
}

TEST_CASE("levels ten million scales apart do not blind it to a step of ten") {
  std::vector<double> values;
  for (const double level : {-1e7, 1e7, 0.0, 10.0})
    for (int i = 0; i < 200; ++i) values.push_back(level + (i % 2 == 0 ? 0.5 : -0.5));
  CHECK(fitted(values, 30).breaks() == Places{200, 400, 600});
}

}  // namespace
}  // namespace kilter::analyse
