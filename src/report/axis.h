#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

// Axes of plots. Pure.
namespace kilter::report {

struct AxisRange {
  double low = 0;
  double high = 0;
};

// Round values in the range, some `wanted` of them, ascending; at least one where the range is not empty.
[[nodiscard]] std::vector<double> axis_ticks(const AxisRange& range, std::size_t wanted);
// "62.5M", "63.0M": one prefix and as many decimals for all as tell them apart.
[[nodiscard]] std::vector<std::string> axis_labels(std::span<const double> ticks);

// What is to be seen: all of `always`, and of `values` all unless a few lie so far out that the others could
// not be told apart. Never empty; of no value 0 to 1.
[[nodiscard]] AxisRange value_range(std::span<const double> values, std::span<const double> always);

// Where points stand from left to right, 0 to 1, with a gap before each of `splits`.
class PointAxis {
 public:
  // `gap`: of the whole width.
  PointAxis(std::size_t points, std::span<const std::size_t> splits, double gap);
  [[nodiscard]] double middle_of(std::size_t point) const { return edge_before(point) + unit_ / 2; }
  // Between the point and its left neighbour; after a gap its right end.
  [[nodiscard]] double edge_before(std::size_t point) const;
  [[nodiscard]] double edge_after(std::size_t point) const { return edge_before(point) + unit_; }

 private:
  std::vector<std::size_t> splits_;
  double gap_ = 0;
  double unit_ = 1;
};

}  // namespace kilter::report
