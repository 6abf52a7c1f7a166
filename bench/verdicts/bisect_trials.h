#pragma once

#include "verdicts/bisect_world.h"

#include <cstddef>
#include <functional>

namespace kilter::verdicts {

// What one search did in one world.
struct BisectTrial {
  bool exact = false;    // the likeliest commit is a culprit
  bool near = false;     // within two commits of one
  bool named = false;    // one commit was named as the culprit, with the wanted posterior
  bool right = false;    // the answer, a commit or a set, holds a culprit
  bool refused = false;  // nothing changes, it says
  bool all = false;      // every culprit was found
  double runs = 0;
  double builds = 0;
};

struct BisectTally {
  std::size_t trials = 0;
  double exact = 0;  // percent, as all that follow
  double near = 0;
  double named = 0;
  double right = 0;
  double refused = 0;
  double all = 0;
  double runs = 0;  // means
  double builds = 0;
};

using BisectSearch = std::function<BisectTrial(BisectWorld&)>;

// `trials` worlds with the seeds first_seed, first_seed + 1, ..., on `threads` threads; the same whatever
// their number.
[[nodiscard]] BisectTally tally(const BisectWorldOptions& world, const BisectSearch& search,
                                std::size_t trials);

// The trial of a search that named `commit` in `world`.
[[nodiscard]] BisectTrial trial_naming(const BisectWorld& world, std::size_t commit);
// A search that only names a commit.
[[nodiscard]] BisectSearch naming(std::function<std::size_t(BisectWorld&)> search);

}  // namespace kilter::verdicts
