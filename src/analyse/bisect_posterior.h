#pragma once

#include "analyse/bisect_state.h"

#include <optional>

// Where the culprit is, given all runs: exact Bayesian inference for one persistent shift between two unknown
// levels with a common, unknown variance.
namespace kilter::analyse {

// What is taken as known of a metric that is a number.
struct ShiftModel {
  // The noise of one run: as if `noise_runs` runs had shown the standard deviation `noise`. 0 runs: unknown.
  double noise_runs = 0;
  double noise = 0;
  // The variance between builds in units of the variance between runs: runs of one build are no independent
  // evidence of its commit's level. 0 where every run has a fresh layout.
  double build_ratio = 0;
  int sign = 0;      // +1, -1: the metric rises, falls, from good to bad; 0: as its ends are now
  double least = 0;  // the least shift there may be; at least `least_share` of what the ends differ by now
  double least_share = .3;
  // Probability, before any run, that nothing changes in the range. 0: something surely does; such a range is
  // never refused.
  double none = .8;
};

// The culprit is one of after+1 .. upto, both of which are tested (or an end).
struct BisectGap {
  std::size_t after = 0;
  std::size_t upto = 0;
  double mass = 0;   // P(after < c <= upto)
  double left = 0;   // the good level, if c is here
  double right = 0;  // the bad one
};

struct BisectLevel {
  double mean = 0;
  double error = 0;  // standard deviation of what is believed of it
};

struct BisectPosterior {
  std::vector<BisectGap> gaps;  // in order; their masses and `none` sum to 1. Empty: an end has no run
  double none = 0;              // P(nothing changes in the range)
  double noise = 0;             // standard deviation of a run; 0 for outcomes
  BisectLevel good;
  BisectLevel bad;
  [[nodiscard]] double shift() const { return bad.mean - good.mean; }
};

// In O(tested commits). Mass within a gap is spread as in the prior.
[[nodiscard]] BisectPosterior shift_posterior(const BisectState& state, const ShiftModel& model);

// P(c <= commit), and P(c = commit), without what is believed of `none`: at `last` it is 1 - none.
[[nodiscard]] double probability_by(const BisectState& state, const BisectPosterior& posterior,
                                    std::size_t commit);
[[nodiscard]] double probability_of(const BisectState& state, const BisectPosterior& posterior,
                                    std::size_t commit);

// Commits first..last, among which the culprit is with probability `mass`.
struct CommitSet {
  std::size_t first = 0;
  std::size_t last = 0;
  double mass = 0;
};
// The smallest contiguous set with at least `mass` (of several the likeliest); all commits when `none` leaves
// less than that.
[[nodiscard]] CommitSet smallest_set(const BisectState& state, const BisectPosterior& posterior, double mass);

// The levels of both sides, averaged over the gaps. `errors`: of each gap's levels, left and right.
struct GapErrors {
  double left = 0;
  double right = 0;
};
void average_levels(BisectPosterior& posterior, const std::vector<GapErrors>& errors);
// Turns log weights of the gaps (relative to `none`'s, if given) into masses.
void normalise(BisectPosterior& posterior, const std::vector<double>& logs, std::optional<double> none);

}  // namespace kilter::analyse
