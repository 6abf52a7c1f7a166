#include "robot/interleave.h"

namespace kilter::robot {

std::vector<Slot> interleave(int revisions, int runs) {
  std::vector<Slot> slots;
  for (int pass = 0; pass < runs; ++pass) {
    const bool backwards = pass % 2 == 1;
    for (int i = 0; i < revisions; ++i)
      slots.push_back({.revision = backwards ? revisions - 1 - i : i,
                       .block = pass / 2,
                       .place = pass % 2 * revisions + i});
  }
  return slots;
}

}  // namespace kilter::robot
