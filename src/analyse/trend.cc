#include "analyse/trend.h"

#include "analyse/distributions.h"
#include "analyse/order_statistics.h"
#include "analyse/samples.h"

#include <cmath>
#include <vector>

namespace kilter::analyse {
namespace {

constexpr std::size_t kFewestRuns = 6;

// Sums over both sides, each about its own means.
struct TrendSums {
  double xx = 0;
  double xy = 0;
  double yy = 0;

  void add(std::span<const double> values) {
    const double centre = (static_cast<double>(values.size()) - 1) / 2;
    const double average = mean(values);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double x = static_cast<double>(i) - centre;
      const double y = values[i] - average;
      xx += x * x;
      xy += x * y;
      yy += y * y;
    }
  }
};

}  // namespace

std::optional<Trend> trend_of(std::span<const double> a, std::span<const double> b) {
  const std::vector<double> first = finite_values(a);
  const std::vector<double> second = finite_values(b);
  const std::size_t runs = first.size() + second.size();
  if (runs < kFewestRuns) return std::nullopt;
  TrendSums sums;
  sums.add(first);
  sums.add(second);
  const double level = std::abs(median(first.empty() ? second : first));
  if (!(sums.xx > 0) || !(sums.yy > 0) || !(level > 0)) return std::nullopt;
  const double slope = sums.xy / sums.xx;
  const double rest = sums.yy - slope * sums.xy;
  const double df = static_cast<double>(runs - 3);
  const double t = rest > 0 ? slope / std::sqrt(rest / df / sums.xx) : std::copysign(1e9, slope);
  return Trend{.per_run = slope / level, .p = student_t_two_sided(t, df)};
}

}  // namespace kilter::analyse
