#include "analyse/value_step.h"

#include <cmath>

namespace kilter::analyse {
namespace {

constexpr int kMostDecimals = 9;
constexpr double kExactInteger = 9007199254740992.0;  // 2^53

// "4.35" is not 435 times .01 to the last bit.
bool is_whole(double value) {
  const double nearest = std::nearbyint(value);
  return std::abs(value) < kExactInteger && std::abs(value - nearest) <= 4e-16 * std::abs(value);
}

}  // namespace

double common_step(std::initializer_list<std::span<const double>> groups) {
  double steps = 1;  // in 1
  int decimals = 0;
  for (const std::span<const double> values : groups)
    for (const double value : values)
      while (!is_whole(value * steps)) {
        if (++decimals > kMostDecimals) return 0;
        steps *= 10;
      }
  return 1 / steps;
}

}  // namespace kilter::analyse
