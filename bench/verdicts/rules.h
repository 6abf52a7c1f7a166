#pragma once

#include "verdicts/noise.h"

#include <span>
#include <string_view>

// The rules that others decide by, and ours, on an experiment.
namespace kilter::verdicts {

struct Test {
  std::string_view name;
  double (*p)(const Experiment& experiment);
};
// LKP's rule (p is 0 or 1), Welch's t, Mann-Whitney, kilter's.
[[nodiscard]] std::span<const Test> tests();

// Each side's median (the upper one) lies outside the other side's range.
[[nodiscard]] bool lkp_changed(const Samples& a, const Samples& b);
// Welch's t of the logarithms.
[[nodiscard]] double welch_of_logarithms(const Samples& a, const Samples& b);

}  // namespace kilter::verdicts
