#include "analyse/order_statistics.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <numbers>
#include <numeric>

namespace kilter::analyse {
namespace {

constexpr std::size_t kFewValues = 8;
constexpr std::size_t kManyValues = 1024;
constexpr std::size_t kMostPairs = 4096;  // more are searched, not listed

// Sorts by exchanges without branches.
void sort_few(std::span<double> values) {
  for (std::size_t end = values.size(); end > 1; --end)
    for (std::size_t i = 1; i < end; ++i) {
      const double low = std::min(values[i - 1], values[i]);
      values[i] = std::max(values[i - 1], values[i]);
      values[i - 1] = low;
    }
}

// Moves what is below `limit` to the front, without branches; answers how much that is.
template <class Below>
std::size_t move_to_front(std::span<double> values, const Below& is_below) {
  std::size_t count = 0;
  for (double& value : values) {
    const double moved = value;
    value = values[count];
    values[count] = moved;
    count += is_below(moved) ? 1U : 0U;
  }
  return count;
}

double middle_of(double a, double b, double c) {
  return std::max(std::min(a, b), std::min(std::max(a, b), c));
}

// As std::nth_element, which mispredicts half of its comparisons: three times as fast on a few hundred
// values.
void select(std::span<double> values, std::size_t k) {
  if (values.size() > kManyValues) {
    std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(k));
    return;
  }
  while (values.size() > kFewValues) {
    const double pivot = middle_of(values.front(), values[values.size() / 2], values.back());
    const std::size_t below = move_to_front(values, [pivot](double value) { return value < pivot; });
    if (k < below) {
      values = values.first(below);
      continue;
    }
    k -= below;
    values = values.subspan(below);
    const std::size_t equal = move_to_front(values, [pivot](double value) { return value <= pivot; });
    if (k < equal) return;
    k -= equal;
    values = values.subspan(equal);
  }
  sort_few(values);
}

// Doubles as integers in the same order.
std::int64_t rank_of(double value) {
  const std::int64_t bits = std::bit_cast<std::int64_t>(value + 0.0);  // -0 as 0
  return bits >= 0 ? bits : std::int64_t(0x8000000000000000ULL) - bits;
}

double value_of(std::int64_t rank) {
  return std::bit_cast<double>(rank >= 0 ? rank : std::int64_t(0x8000000000000000ULL) - rank);
}

// How many differences are at most `limit`; both sorted.
std::size_t count_differences(std::span<const double> a, std::span<const double> b, double limit) {
  std::size_t count = 0;
  std::size_t first = 0;  // a[first..] give differences within the limit
  for (const double value : b) {
    while (first < a.size() && value - a[first] > limit) ++first;
    count += a.size() - first;
  }
  return count;
}

// The k-th smallest difference (from 1), by bisection over all doubles between the extremes.
double kth_difference(std::span<const double> a, std::span<const double> b, std::size_t k) {
  std::int64_t low = rank_of(b.front() - a.back());
  std::int64_t high = rank_of(b.back() - a.front());
  while (low < high) {
    const std::int64_t probe = std::midpoint(low, high);  // rounds towards `low`
    if (count_differences(a, b, value_of(probe)) >= k)
      high = probe;
    else
      low = probe + 1;
  }
  return value_of(low);
}

double searched_median_difference(std::span<const double> a, std::span<const double> b) {
  std::vector<double> sorted_a(a.begin(), a.end());
  std::vector<double> sorted_b(b.begin(), b.end());
  std::ranges::sort(sorted_a);
  std::ranges::sort(sorted_b);
  const std::size_t pairs = a.size() * b.size();
  const double upper = kth_difference(sorted_a, sorted_b, pairs / 2 + 1);
  return pairs % 2 == 1 ? upper : (kth_difference(sorted_a, sorted_b, pairs / 2) + upper) / 2;
}

}  // namespace

std::vector<double> finite_values(std::span<const double> values) {
  std::vector<double> finite;
  finite.reserve(values.size());
  std::ranges::copy_if(values, std::back_inserter(finite), [](double value) { return std::isfinite(value); });
  return finite;
}

double median_in_place(std::span<double> values) {
  if (values.empty()) return 0;
  const std::size_t middle = values.size() / 2;
  select(values, middle);
  if (values.size() % 2 == 1) return values[middle];
  return (*std::ranges::max_element(values.first(middle)) + values[middle]) / 2;
}

double median(std::span<const double> values) {
  std::vector<double> copy(values.begin(), values.end());
  return median_in_place(copy);
}

double quantile_in_place(std::span<double> values, double probability) {
  if (values.empty()) return 0;
  const double place = probability * static_cast<double>(values.size() - 1);
  const std::size_t below = static_cast<std::size_t>(place);
  select(values, below);
  const double low = values[below];
  if (below + 1 == values.size()) return low;
  const double next = *std::ranges::min_element(values.subspan(below + 1));
  return low + (place - static_cast<double>(below)) * (next - low);
}

double median_difference(std::span<const double> a, std::span<const double> b) {
  if (a.empty() || b.empty()) return 0;
  const std::size_t pairs = a.size() * b.size();
  if (pairs > kMostPairs) return searched_median_difference(a, b);
  std::array<double, kMostPairs> differences;  // NOLINT: filled as far as it is read
  std::size_t count = 0;
  for (const double to : b)
    for (const double from : a) differences[count++] = to - from;
  return median_in_place({differences.data(), pairs});
}

double median_variance(std::size_t n) {
  static constexpr std::array<double, 11> kTable = {1,     1,     .5,    .4487, .2982, .2868,
                                                    .2147, .2104, .1682, .1661, .1383};
  if (n < kTable.size()) return kTable[n];
  const double count = static_cast<double>(n);
  return std::numbers::pi / (2 * count) * (1 - 0.45 / count);
}

double median_sum_squares(std::size_t n) {
  const double count = static_cast<double>(n);
  return (count - 1) + count * (median_variance(n) - 1 / count);
}

double shift_inflation(std::size_t n) {
  static constexpr std::array<double, 11> kTable = {1,     1,     1,     1.110, 1.092, 1.097,
                                                    1.091, 1.087, 1.085, 1.083, 1.078};
  return n < kTable.size() ? kTable[n] : 1.07;
}

}  // namespace kilter::analyse
