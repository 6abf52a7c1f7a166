#pragma once

#include "analyse/bisect_step.h"

#include <vector>

// Where a next run may tell something: the inner part of bisect_step.
namespace kilter::analyse {

struct BisectCandidate {
  std::size_t commit = 0;
  double runs = 0;          // it has by now
  double probability = 0;   // P(c <= commit), given that something changes
  double level_if = 0;      // its level if c <= commit, averaged over the gaps
  double level_if_not = 0;  // and if not. A commit whose own level is known separates nothing
  double build = 0;         // cost of its build
};

// Every tested commit but the ends, and up to four untested ones of each gap.
[[nodiscard]] std::vector<BisectCandidate> bisect_candidates(const BisectState& state,
                                                             const BisectPosterior& posterior,
                                                             const BisectCosts& costs);

struct BisectChoice {
  std::size_t commit = 0;
  unsigned runs = 0;  // 0: there is no candidate
  double bits = 0;
  double rate = 0;  // bits per cost
};
[[nodiscard]] BisectChoice best_choice(const std::vector<BisectCandidate>& candidates,
                                       const BisectModel& model, const BisectOptions& options,
                                       const BisectPosterior& posterior);

}  // namespace kilter::analyse
