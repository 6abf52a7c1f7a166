#pragma once

#include "verdicts/labelled_series.h"

#include <span>
#include <string_view>

namespace kilter::verdicts {

// A way to find the changes of a series.
struct Detector {
  std::string_view name;
  Breaks (*find)(std::span<const double> values);
};
// Ours first.
[[nodiscard]] std::span<const Detector> detectors();

}  // namespace kilter::verdicts
