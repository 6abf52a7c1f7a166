#include "analyse/history_stretch.h"

#include "analyse/change_points.h"
#include "analyse/order_statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace kilter::analyse {
namespace {

constexpr std::size_t kShortestStretch = 3;
constexpr double kSuspicious = 4;  // t of a step; changes are confirmed from 5 on, by other scales

// The largest t of a step, whatever its place.
double largest_step(std::span<const double> values) {
  const double n = static_cast<double>(values.size());
  double sum = 0;
  for (const double value : values) sum += value;
  const double average = sum / n;
  double squares = 0;
  for (const double value : values) squares += (value - average) * (value - average);
  double largest = 0;  // sum of squares that a step explains
  double left = 0;     // sum of what lies before it, about the average
  for (std::size_t i = 1; i + kShortestStretch <= values.size(); ++i) {
    left += values[i - 1] - average;
    const double before = static_cast<double>(i);
    if (i >= kShortestStretch) largest = std::max(largest, left * left * n / (before * (n - before)));
  }
  const double rest = squares - largest;
  if (!(largest > 0)) return 0;
  return rest > 0 ? std::sqrt(largest * (n - 2) / rest) : std::numeric_limits<double>::infinity();
}

}  // namespace

History since_last_change(History builds) {
  if (builds.size() < 2 * kShortestStretch) return builds;
  std::vector<double> medians;
  medians.reserve(builds.size());
  std::vector<double> runs;
  for (const std::span<const double> build : builds) {
    runs.clear();
    std::ranges::copy_if(build, std::back_inserter(runs), [](double value) { return std::isfinite(value); });
    medians.push_back(runs.empty() ? std::numeric_limits<double>::quiet_NaN() : median_in_place(runs));
  }
  const std::vector<double> present = finite_values(medians);
  if (present.size() < 2 * kShortestStretch || largest_step(present) < kSuspicious) return builds;
  const Changes changes = change_points(medians);
  return changes.confirmed.empty() ? builds : builds.subspan(changes.confirmed.back().index);
}

}  // namespace kilter::analyse
