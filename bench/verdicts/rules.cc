#include "verdicts/rules.h"

#include "analyse/classic_tests.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace kilter::verdicts {
namespace {

struct Range {
  double low = 0;
  double middle = 0;
  double high = 0;
};

Range range_of(Samples samples) {
  std::ranges::sort(samples);
  return {.low = samples.front(), .middle = samples[samples.size() / 2], .high = samples.back()};
}

bool lies_above(const Range& upper, const Range& lower) {
  return upper.low > lower.middle && upper.middle > lower.high;
}

Samples logarithms(Samples samples) {
  for (double& sample : samples) sample = std::log(sample);
  return samples;
}

}  // namespace

bool lkp_changed(const Samples& a, const Samples& b) {
  const Range from = range_of(a);
  const Range to = range_of(b);
  return lies_above(to, from) || lies_above(from, to);
}

double welch_of_logarithms(const Samples& a, const Samples& b) {
  return analyse::welch(logarithms(a), logarithms(b));
}

std::span<const Test> tests() {
  static constexpr std::array kTests = {
      Test{"LKP", [](const Experiment& tried) { return lkp_changed(tried.a, tried.b) ? 0.0 : 1.0; }},
      Test{"Welch", [](const Experiment& tried) { return welch_of_logarithms(tried.a, tried.b); }},
      Test{"ranks", [](const Experiment& tried) { return analyse::mann_whitney(tried.a, tried.b); }},
      Test{"REC", [](const Experiment& tried) { return rec_of(tried).p; }},
  };
  return kTests;
}

}  // namespace kilter::verdicts
