#include "robot/effect_words.h"

#include <fmt/core.h>

#include <cmath>

namespace kilter::robot {
namespace {

constexpr double kTwoDecimalsBelow = .1;

int effect_decimals(double effect) {
  return std::abs(effect) < kTwoDecimalsBelow ? 2 : 1;
}

}  // namespace

std::string effect_words(double effect) {
  return fmt::format("{:.{}f} % {}", 100 * std::abs(effect), effect_decimals(effect),
                     effect < 0 ? "lower" : "higher");
}

std::string signed_percent(double effect) {
  return fmt::format("{:+.{}f}", 100 * effect, effect_decimals(effect));
}

std::string interval_words(const analyse::RecResult& result) {
  if (!std::isfinite(result.low) || !std::isfinite(result.high)) return "no interval yet";
  return fmt::format("99 % interval {} to {} %", signed_percent(result.low), signed_percent(result.high));
}

std::string verdict_words(model::Direction direction, double effect) {
  if (direction == model::Direction::unknown || effect == 0) return "";
  return (effect > 0) == (direction == model::Direction::higher_better) ? "an improvement" : "a regression";
}

}  // namespace kilter::robot
