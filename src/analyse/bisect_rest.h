#pragma once

#include "analyse/bisect_step.h"

#include <vector>

// What is left after a culprit: is there another one on either side of it, by the runs at hand?
namespace kilter::analyse {

struct BisectRest {
  std::size_t first = 0;  // a range to bisect with part_of(state, first, last); nothing has to be run again
  std::size_t last = 0;
  PairEvidence pair;  // of its ends, numbered as in `state`
  double none = 1;    // P(nothing changes there), by all its runs
  bool holds_change = false;
};

// The ranges before and after the culprit (good .. its parent, culprit .. bad) that still have commits, each
// with the comparison of its ends by their own noise. `holds_change`: the ends differ by at least `least`, in
// either direction, and p < options.alpha, or P(nothing changes) by all runs of the range <= none_limit. An
// end without runs shows nothing.
[[nodiscard]] std::vector<BisectRest> bisect_rests(const BisectState& state, const BisectModel& model,
                                                   const BisectOptions& options, const CommitSet& culprit,
                                                   double least);

// The model of a part: the shift may have either sign there.
[[nodiscard]] BisectModel model_of_rest(const BisectModel& model);

}  // namespace kilter::analyse
