#include "robot/effect_words.h"

#include "model/verdict.h"

#include <fmt/core.h>

#include <cmath>

namespace kilter::robot {

std::string effect_words(double effect) {
  return fmt::format("{} % {}", model::percent_figure(std::abs(effect)), effect < 0 ? "lower" : "higher");
}

std::string interval_words(double low, double high) {
  if (!std::isfinite(low) || !std::isfinite(high)) return "no interval yet";
  return fmt::format("99 % interval {}..{} %", model::signed_percent(low), model::signed_percent(high));
}

std::string verdict_words(model::Direction direction, double effect) {
  if (direction == model::Direction::unknown || effect == 0) return "";
  return (effect > 0) == (direction == model::Direction::higher_better) ? "an improvement" : "a regression";
}

}  // namespace kilter::robot
