#pragma once

#include "analyse/bisect_posterior.h"

// The same inference for an outcome: every run of a commit fails or does not (values 1 and 0), with one rate
// of failure before the culprit and another from it on.
namespace kilter::analyse {

// A Beta(failures, passes) prior of a rate: as if so many had been seen.
struct RatePrior {
  double failures = 1;
  double passes = 1;
};

struct OutcomeModel {
  RatePrior good = {.5, 4.5};
  RatePrior bad = {1, 1};
  // +1: the culprit makes runs fail; -1: it makes them pass (the priors are those of the ends all the same);
  // 0: as the ends are now.
  int sign = 0;
  double least = 0;  // the rates differ by at least this
  double none = .8;  // probability, before any run, that nothing changes in the range
};

// In O(tested commits). Rates are integrated out on a grid of 256 (equal steps of arcsin sqrt), under the
// restriction of sign and least difference; exact to some 1e-3 in the logarithm up to a thousand runs.
[[nodiscard]] BisectPosterior outcome_posterior(const BisectState& state, const OutcomeModel& model);

}  // namespace kilter::analyse
