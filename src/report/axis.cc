#include "report/axis.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace kilter::report {
namespace {

constexpr std::size_t kMostTicks = 50;
constexpr double kAxisFarOut = 4;  // times the width of what most values need

// 1, 2 or 5 times a power of ten, not less than `least`.
double round_step(double least) {
  const double power = std::pow(10, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= least * (1 - 1e-9)) return factor * power;
  return 10 * power;
}

struct UnitPrefix {
  double factor = 1;
  std::string_view sign;
};

UnitPrefix prefix_for(double size) {
  constexpr std::array<UnitPrefix, 8> kPrefixes = {
      {{1e15, "P"}, {1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}, {1e-3, "m"}, {1e-6, "u"}}};
  if (size >= 1 && size < 1e4) return {};
  for (const UnitPrefix& prefix : kPrefixes)
    if (size >= prefix.factor) return prefix;
  return {};
}

double least_distance(std::span<const double> ticks) {
  double least = 0;
  for (std::size_t i = 1; i < ticks.size(); ++i) {
    const double distance = std::abs(ticks[i] - ticks[i - 1]);
    if (distance > 0 && (least == 0 || distance < least)) least = distance;
  }
  return least;
}

double at_rank(const std::vector<double>& sorted, double part) {
  return sorted[static_cast<std::size_t>(part * static_cast<double>(sorted.size() - 1))];
}

}  // namespace

std::vector<double> axis_ticks(const AxisRange& range, std::size_t wanted) {
  std::vector<double> ticks;
  const double width = range.high - range.low;
  if (!(width > 0) || !std::isfinite(width)) return {range.low};
  const double step = round_step(width / static_cast<double>(std::max<std::size_t>(wanted, 1)));
  const double first = std::ceil(range.low / step - 1e-9);
  for (std::size_t i = 0; i < kMostTicks; ++i) {
    const double tick = (first + static_cast<double>(i)) * step;
    if (tick > range.high + step * 1e-9) break;
    ticks.push_back(tick == 0 ? 0 : tick);
  }
  if (ticks.empty()) ticks.push_back(range.low);
  return ticks;
}

std::vector<std::string> axis_labels(std::span<const double> ticks) {
  double size = 0;
  for (const double tick : ticks) size = std::max(size, std::abs(tick));
  std::vector<std::string> labels;
  const bool huge = size >= 1e18 || (size > 0 && size < 1e-6);
  const UnitPrefix prefix = huge ? UnitPrefix{} : prefix_for(size);
  const double step = least_distance(ticks) / prefix.factor;
  const int decimals = step > 0 ? std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-6)), 0, 6) : 2;
  for (const double tick : ticks)
    labels.push_back(huge ? fmt::format("{:.4g}", tick)
                          : fmt::format("{:.{}f}{}", tick / prefix.factor, decimals, prefix.sign));
  return labels;
}

AxisRange value_range(std::span<const double> values, std::span<const double> always) {
  std::vector<double> sorted;
  for (const double value : values)
    if (std::isfinite(value)) sorted.push_back(std::clamp(value, -1e300, 1e300));
  if (sorted.empty()) return {.low = 0, .high = 1};
  std::ranges::sort(sorted);
  AxisRange range{.low = sorted.front(), .high = sorted.back()};
  const double low = at_rank(sorted, .03);
  const double high = at_rank(sorted, .97);
  if (high > low && range.high - range.low > kAxisFarOut * (high - low)) {
    range.low = std::max(range.low, low - (high - low));
    range.high = std::min(range.high, high + (high - low));
  }
  for (const double value : always) {
    if (!std::isfinite(value)) continue;
    range.low = std::min(range.low, value);
    range.high = std::max(range.high, value);
  }
  double room = (range.high - range.low) * .05;
  if (!(room > 0)) room = range.high == 0 ? 1 : std::abs(range.high) * .01;
  return {.low = range.low - room, .high = range.high + room};
}

PointAxis::PointAxis(std::size_t points, std::span<const std::size_t> splits, double gap)
    : splits_(splits.begin(), splits.end()) {
  if (splits_.empty() || points == 0) {
    unit_ = 1 / static_cast<double>(std::max<std::size_t>(points, 1));
    return;
  }
  gap_ = std::min(gap, .5 / static_cast<double>(splits_.size()));
  unit_ = (1 - gap_ * static_cast<double>(splits_.size())) / static_cast<double>(points);
}

double PointAxis::edge_before(std::size_t point) const {
  const std::ptrdiff_t gaps = std::ranges::upper_bound(splits_, point) - splits_.begin();
  return static_cast<double>(point) * unit_ + static_cast<double>(gaps) * gap_;
}

}  // namespace kilter::report
