#pragma once

#include <vector>

namespace kilter::robot {

// One slot of a campaign over several revisions.
struct Slot {
  int revision;  // index of the revision
  int block;     // 0, 1, ...: a block holds each revision equally often
  int place;     // position inside the block
};

// `runs` runs of each of `revisions`, forwards then backwards: A B B A, A B B A ... so that a steady drift of
// the machine falls on all sides alike. An odd number of runs ends with one forward pass.
[[nodiscard]] std::vector<Slot> interleave(int revisions, int runs);

}  // namespace kilter::robot
