#pragma once

#include "model/series.h"

#include <string>

// A tested difference in the words that every verb uses. Pure.
namespace kilter::robot {

// "5.8 % lower", "12 % higher"
[[nodiscard]] std::string effect_words(double effect);
// "99 % interval -6.9..-4.6 %", "no interval yet"
[[nodiscard]] std::string interval_words(double low, double high);
// "a regression"; "" where nobody knows which way is better.
[[nodiscard]] std::string verdict_words(model::Direction direction, double effect);

}  // namespace kilter::robot
