#pragma once

#include "analyse/bisect_step.h"

// What a bisect will cost, before it begins.
namespace kilter::analyse {

struct BisectEstimate {
  double bound = 0;   // runs that no search can do without: bits / capacity + ln(100) / (r^2 / 2)
  double runs = 0;    // expected, those of the ends included, those at hand left out
  double builds = 0;  // expected, likewise
  double cost = 0;    // runs and builds (without their distance), in the unit of the costs
};

// For a shift of `shift` (above 0) times the noise of a run. From the bits that are open, the capacity of a
// run and what simulations show on top: 1.25 times the bound where the levels are known, 1.7 where not (less
// for large shifts), half more runs where builds are dear. Good to 30 %.
[[nodiscard]] BisectEstimate estimate_bisect(const BisectState& state, double shift, double noise_runs,
                                             const BisectOptions& options);

// Entropy of the culprit's prior, in bits, commits that cannot be told apart taken as one.
[[nodiscard]] double prior_bits(const BisectState& state);

}  // namespace kilter::analyse
