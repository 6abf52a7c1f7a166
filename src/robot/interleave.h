#pragma once

#include <cstdint>
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

// The same with the order of each block drawn by lot: ABBA or BAAB, for more revisions any order and its
// reverse. Nothing that repeats in step with the blocks falls on one side then. The slots for fewer runs are
// the first of those for more.
[[nodiscard]] std::vector<Slot> shuffled_blocks(int revisions, int runs, std::uint64_t seed);

// A number that is the same for the same seed and index on every machine, and looks like chance otherwise.
[[nodiscard]] std::uint64_t lot(std::uint64_t seed, std::uint64_t index);

}  // namespace kilter::robot
