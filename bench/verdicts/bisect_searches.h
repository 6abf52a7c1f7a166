#pragma once

#include "analyse/bisect_step.h"
#include "verdicts/bisect_world.h"

#include <cstddef>

// Ways to find the culprit in a BisectWorld; each returns the commit it names, 0 for none.
namespace kilter::verdicts {

// Binary search with `n` runs a step, to the side whose end's mean is nearer.
[[nodiscard]] std::size_t search_fixed(BisectWorld& world, unsigned n);
// Binary search by LKP's rule: bad where the median of each side lies outside the other's range.
[[nodiscard]] std::size_t search_lkp(BisectWorld& world, unsigned n);
// Binary search that doubles the runs of a step, 5 to 160, until t tests against both ends agree (after
// Pinpoint).
[[nodiscard]] std::size_t search_doubling(BisectWorld& world);

// Kilter's search.
struct BayesSearch {
  analyse::BisectModel model;
  analyse::BisectOptions options;
  unsigned free_runs = 0;       // of each end, from a store
  std::vector<double> weights;  // of the commits 1..N; empty: alike
};
// As in the published tables: the noise is known from 20 runs, the size of the shift roughly.
[[nodiscard]] BayesSearch bayes_search(double expected_shift);

struct BayesOutcome {
  analyse::BisectAnswer answer;
  analyse::BisectState state;
  std::size_t likeliest = 0;
};
[[nodiscard]] BayesOutcome search_bayes(BisectWorld& world, const BayesSearch& search);
// Bisects a part of the history with the runs at hand; its commit 0 is `first` of the world.
[[nodiscard]] BayesOutcome search_part(BisectWorld& world, const BayesSearch& search,
                                       analyse::BisectState part, std::size_t first);

}  // namespace kilter::verdicts
