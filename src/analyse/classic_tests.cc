#include "analyse/classic_tests.h"

#include "analyse/distributions.h"
#include "analyse/order_statistics.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace kilter::analyse {
namespace {

constexpr std::size_t kMostExactSigns = 50;
constexpr std::size_t kMostExactPairs = 400;

// --- Fisher: probabilities relative to the observed table's, walked from it in both directions.

// Number of `yes` on side a, and the margins that bound it.
struct Hypergeometric {
  double side_a = 0;
  double yes = 0;
  double total = 0;
  // P(x + 1) / P(x)
  [[nodiscard]] double step_up(double x) const {
    return (side_a - x) * (yes - x) / ((x + 1) * (total - side_a - yes + x + 1));
  }
  [[nodiscard]] double least() const { return std::max(0.0, side_a + yes - total); }
  [[nodiscard]] double most() const { return std::min(side_a, yes); }
  [[nodiscard]] double mode() const { return std::floor((side_a + 1) * (yes + 1) / (total + 2)); }
};

struct FisherSums {
  double all = 0;
  double extreme = 0;  // of the tables at most as probable as the observed one
};

// Adds P(x)/P(mode) for all x on one side of the mode until they vanish.
template <class Step>
void walk_tables(double from, double to, double direction, double limit, const Step& step, FisherSums& sums) {
  double weight = 1;
  for (double x = from; x != to; x += direction) {
    weight *= step(x);
    if (weight == 0) return;
    sums.all += weight;
    if (weight <= limit) sums.extreme += weight;
  }
}

double table_weight(const Hypergeometric& tables, double observed) {
  double weight = 1;
  const double mode = tables.mode();
  for (double x = mode; x < observed && weight > 0; ++x) weight *= tables.step_up(x);
  for (double x = mode; x > observed && weight > 0; --x) weight /= tables.step_up(x - 1);
  return weight;
}

// --- Mann-Whitney

struct RankGroup {
  std::size_t size = 0;
  std::size_t of_a = 0;
  std::size_t doubled_rank = 0;  // twice the midrank, from 1
};

std::vector<RankGroup> rank_groups(std::span<const double> a, std::span<const double> b) {
  std::vector<std::pair<double, bool>> pooled;
  for (const double value : a) pooled.emplace_back(value + 0.0, true);
  for (const double value : b) pooled.emplace_back(value + 0.0, false);
  std::ranges::sort(pooled);
  std::vector<RankGroup> groups;
  for (std::size_t first = 0, next = 0; first < pooled.size(); first = next) {
    RankGroup group;
    for (next = first; next < pooled.size() && pooled[next].first == pooled[first].first; ++next)
      group.of_a += pooled[next].second ? 1 : 0;
    group.size = next - first;
    group.doubled_rank = first + next + 1;
    groups.push_back(group);
  }
  return groups;
}

std::size_t doubled_rank_sum(std::span<const RankGroup> groups) {
  std::size_t sum = 0;
  for (const RankGroup& group : groups) sum += group.of_a * group.doubled_rank;
  return sum;
}

// ways[k][s]: assignments of k values to side a with doubled rank sum s; as doubles, as only ratios matter.
using Ways = std::vector<std::vector<double>>;

// From the largest count down, so that what is read still lacks this group.
void assign_group(const RankGroup& group, Ways& ways) {
  for (std::size_t k = ways.size() - 1; k > 0; --k) {
    double binomial = 1;
    for (std::size_t taken = 1; taken <= std::min(group.size, k); ++taken) {
      binomial *= static_cast<double>(group.size - taken + 1) / static_cast<double>(taken);
      const std::size_t added = taken * group.doubled_rank;
      for (std::size_t sum = added; sum < ways[k].size(); ++sum)
        ways[k][sum] += binomial * ways[k - taken][sum - added];
    }
  }
}

double exact_rank_test(std::span<const RankGroup> groups, std::size_t n, std::size_t m) {
  const std::size_t most = n * (2 * m + n + 1);  // twice the largest rank sum
  Ways ways(n + 1, std::vector<double>(most + 1, 0.0));
  ways[0][0] = 1;
  for (const RankGroup& group : groups) assign_group(group, ways);
  const std::size_t observed = doubled_rank_sum(groups);
  double below = 0;
  double above = 0;
  double all = 0;
  for (std::size_t sum = 0; sum <= most; ++sum) {
    all += ways[n][sum];
    if (sum <= observed) below += ways[n][sum];
    if (sum >= observed) above += ways[n][sum];
  }
  return std::min(1.0, 2 * std::min(below, above) / all);
}

double normal_rank_test(std::span<const RankGroup> groups, double n, double m) {
  const double total = n + m;
  double ties = 0;
  for (const RankGroup& group : groups) {
    const double size = static_cast<double>(group.size);
    ties += size * size * size - size;
  }
  const double variance = n * m / 12 * ((total + 1) - ties / (total * (total - 1)));
  if (variance <= 0) return 1;
  const double expected = n * (total + 1) / 2;
  const double distance = std::abs(static_cast<double>(doubled_rank_sum(groups)) / 2 - expected) - 0.5;
  return distance <= 0 ? 1 : std::erfc(distance / std::sqrt(2 * variance));
}

double exact_sign_test(std::span<const RankGroup> groups, std::size_t n) {
  std::vector<double> ways(n * (n + 1) + 1, 0.0);  // by twice the rank sum of the positive
  ways[0] = 1;
  for (const RankGroup& group : groups)
    for (std::size_t i = 0; i < group.size; ++i)
      for (std::size_t sum = ways.size() - 1; sum >= group.doubled_rank; --sum)
        ways[sum] += ways[sum - group.doubled_rank];
  const std::size_t observed = doubled_rank_sum(groups);
  double below = 0;
  double above = 0;
  for (std::size_t sum = 0; sum < ways.size(); ++sum) {
    if (sum <= observed) below += ways[sum];
    if (sum >= observed) above += ways[sum];
  }
  return std::min(1.0, 2 * std::min(below, above) / std::exp2(static_cast<double>(n)));
}

double normal_sign_test(std::span<const RankGroup> groups, double n) {
  double squares = 0;  // of the ranks
  for (const RankGroup& group : groups) {
    const double rank = static_cast<double>(group.doubled_rank) / 2;
    squares += static_cast<double>(group.size) * rank * rank;
  }
  const double sum = static_cast<double>(doubled_rank_sum(groups)) / 2;
  const double distance = std::abs(sum - n * (n + 1) / 4) - 0.5;
  return distance <= 0 ? 1 : std::erfc(distance / std::sqrt(squares / 2));
}

// --- Welch

struct MeanError {
  double mean = 0;
  double variance = 0;  // of the mean
  double df = 0;
};

MeanError mean_error(std::span<const double> values) {
  const double n = static_cast<double>(values.size());
  MeanError error{.df = n - 1};
  for (const double value : values) error.mean += value / n;
  for (const double value : values)
    error.variance += (value - error.mean) * (value - error.mean) / (n * error.df);
  return error;
}

}  // namespace

double fisher_exact(const FisherTable& table) {
  const Hypergeometric tables = {
      .side_a = static_cast<double>(table.a_yes + table.a_no),
      .yes = static_cast<double>(table.a_yes + table.b_yes),
      .total = static_cast<double>(table.a_yes + table.a_no + table.b_yes + table.b_no)};
  const double mode = tables.mode();
  const double limit = table_weight(tables, static_cast<double>(table.a_yes)) * (1 + 1e-9);
  FisherSums sums{.all = 1, .extreme = limit >= 1 ? 1.0 : 0.0};
  walk_tables(mode, tables.most(), 1, limit, [&](double x) { return tables.step_up(x); }, sums);
  walk_tables(mode, tables.least(), -1, limit, [&](double x) { return 1 / tables.step_up(x - 1); }, sums);
  return std::min(1.0, sums.extreme / sums.all);
}

double welch(std::span<const double> a, std::span<const double> b) {
  const std::vector<double> finite_a = finite_values(a);
  const std::vector<double> finite_b = finite_values(b);
  if (finite_a.size() < 2 || finite_b.size() < 2) return 1;
  const MeanError from = mean_error(finite_a);
  const MeanError to = mean_error(finite_b);
  const double variance = from.variance + to.variance;
  if (variance == 0) return from.mean == to.mean ? 1 : 0;
  const double df =
      variance * variance / (from.variance * from.variance / from.df + to.variance * to.variance / to.df);
  return student_t_two_sided((to.mean - from.mean) / std::sqrt(variance), df);
}

double mann_whitney(std::span<const double> a, std::span<const double> b) {
  const std::vector<double> finite_a = finite_values(a);
  const std::vector<double> finite_b = finite_values(b);
  if (finite_a.empty() || finite_b.empty()) return 1;
  if (finite_a.size() > finite_b.size()) return mann_whitney(b, a);
  const std::vector<RankGroup> groups = rank_groups(finite_a, finite_b);
  const std::size_t n = finite_a.size();
  const std::size_t m = finite_b.size();
  if (n * m <= kMostExactPairs) return exact_rank_test(groups, n, m);
  return normal_rank_test(groups, static_cast<double>(n), static_cast<double>(m));
}

double signed_rank(std::span<const double> differences) {
  std::vector<double> positive;
  std::vector<double> negative;
  for (const double difference : differences) {
    if (!std::isfinite(difference) || difference == 0) continue;
    (difference > 0 ? positive : negative).push_back(std::abs(difference));
  }
  const std::size_t n = positive.size() + negative.size();
  if (n == 0) return 1;
  const std::vector<RankGroup> groups = rank_groups(positive, negative);
  return n <= kMostExactSigns ? exact_sign_test(groups, n) : normal_sign_test(groups, static_cast<double>(n));
}

double least_mann_whitney(std::size_t n, std::size_t m) {
  constexpr double kRounding = 1 + 1e-9;
  const double a = static_cast<double>(n);
  const double b = static_cast<double>(m);
  return std::min(1.,
                  2 * kRounding * std::exp(std::lgamma(a + 1) + std::lgamma(b + 1) - std::lgamma(a + b + 1)));
}

bool ranks_agree(std::span<const double> a, std::span<const double> b, double level) {
  return mann_whitney(a, b) <= std::max(level, least_mann_whitney(a.size(), b.size()));
}

}  // namespace kilter::analyse
