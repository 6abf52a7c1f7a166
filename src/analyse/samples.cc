#include "analyse/samples.h"

#include <cmath>

namespace kilter::analyse {

double compensated_sum(std::span<const double> values) {
  double sum = 0;
  double lost = 0;
  for (const double value : values) {
    const double corrected = value - lost;
    const double next = sum + corrected;
    if (!std::isfinite(next)) return next;
    lost = (next - sum) - corrected;
    sum = next;
  }
  return sum;
}

double mean(std::span<const double> values) {
  if (values.empty()) return 0;
  return compensated_sum(values) / static_cast<double>(values.size());
}

double population_stddev(std::span<const double> values, double average) {
  if (values.size() < 2) return -1;
  double squares = 0;
  for (const double value : values) squares += (value - average) * (value - average);
  return std::sqrt(squares / static_cast<double>(values.size()));
}

}  // namespace kilter::analyse
