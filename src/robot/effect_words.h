#pragma once

#include "analyse/rec.h"
#include "model/series.h"

#include <string>

// A tested difference in the words that every verb uses. Pure.
namespace kilter::robot {

// "5.80 % lower", "12.3 % higher"
[[nodiscard]] std::string effect_words(double effect);
// "+0.42", "-12.3": percent.
[[nodiscard]] std::string signed_percent(double effect);
// "99 % interval -6.90 to -4.60 %", "no interval yet"
[[nodiscard]] std::string interval_words(const analyse::RecResult& result);
// "a regression"; "" where nobody knows which way is better.
[[nodiscard]] std::string verdict_words(model::Direction direction, double effect);

}  // namespace kilter::robot
