#include "analyse/series_scale.h"

#include "analyse/order_statistics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace kilter::analyse {
namespace {

constexpr double kMadToDeviation = 1.4826;  // of normal noise
constexpr double kMostCorrelation = 0.9;

std::vector<double> absolute_steps(std::span<const double> values) {
  std::vector<double> steps;
  for (std::size_t i = 1; i < values.size(); ++i) steps.push_back(std::abs(values[i] - values[i - 1]));
  return steps;
}

double to_scale(double middle_step) {
  return kMadToDeviation * middle_step / std::numbers::sqrt2;
}

// The mean of a segment taken from each of its points.
void append_residuals(std::span<const double> segment, std::vector<double>& residuals) {
  double sum = 0;
  for (const double value : segment) sum += value;
  const double mean = sum / static_cast<double>(segment.size());
  for (const double value : segment) residuals.push_back(value - mean);
}

}  // namespace

double robust_scale(std::span<const double> values) {
  std::vector<double> steps = absolute_steps(values);
  if (steps.empty()) return 0;
  const double all = static_cast<double>(steps.size());
  const double middle = median_in_place(steps);
  if (middle > 0) return to_scale(middle);
  std::erase(steps, 0.0);
  if (steps.empty()) return 0;
  const double moving = static_cast<double>(steps.size());
  return to_scale(median_in_place(steps)) * std::sqrt(moving / all);
}

ResidualNoise residual_noise(std::span<const double> values, std::span<const std::size_t> breaks) {
  std::vector<double> residuals;
  residuals.reserve(values.size());
  double squares = 0;
  double products = 0;
  for (std::size_t k = 0; k <= breaks.size(); ++k) {
    const std::size_t begin = k == 0 ? 0 : breaks[k - 1];
    const std::size_t end = k == breaks.size() ? values.size() : breaks[k];
    append_residuals(values.subspan(begin, end - begin), residuals);
    for (std::size_t i = begin; i < end; ++i) {
      squares += residuals[i] * residuals[i];
      if (i > begin) products += residuals[i] * residuals[i - 1];
    }
  }
  const double count = static_cast<double>(values.size());
  const double segments = static_cast<double>(breaks.size() + 1);
  if (count <= segments || squares == 0) return {};
  const double measured = products / squares;
  const double corrected = measured + 0.5 * segments / count * (1 + 3 * measured);
  return {.variance = squares / (count - segments),
          .correlation = std::clamp(corrected, 0.0, kMostCorrelation)};
}

double winsorised_at(std::span<const double> values, std::size_t at, double limit) {
  const std::size_t begin = at - std::min(at, kRollingReach);
  const std::size_t end = std::min(values.size(), at + kRollingReach + 1);
  std::array<double, 2 * kRollingReach + 1> window{};
  const std::size_t count = end - begin;
  std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(begin), count, window.begin());
  const double middle = median_in_place(std::span(window).first(count));
  return std::clamp(values[at], middle - limit, middle + limit);
}

std::vector<double> winsorised(std::span<const double> values, double limit) {
  std::vector<double> clipped(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) clipped[i] = winsorised_at(values, i, limit);
  return clipped;
}

}  // namespace kilter::analyse
