#pragma once

#include "base/text.h"

#include <span>
#include <string>
#include <string_view>

namespace kilter {

// base's guess as the end of a sentence: ", did you mean 'x'?", or "".
[[nodiscard]] inline std::string or_rather(std::string_view word, std::span<const std::string> candidates) {
  const std::string guess = did_you_mean(word, candidates);
  return guess.empty() ? guess : ", " + guess;
}

}  // namespace kilter
