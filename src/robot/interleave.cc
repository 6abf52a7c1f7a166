#include "robot/interleave.h"

#include <algorithm>
#include <numeric>
#include <utility>

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

namespace {

// Fisher-Yates, with a lot for each place of each block.
std::vector<int> block_order(int revisions, std::uint64_t seed, int block) {
  std::vector<int> order(static_cast<std::size_t>(std::max(revisions, 0)));
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t left = order.size(); left > 1; --left) {
    const std::uint64_t draw = lot(seed, static_cast<std::uint64_t>(block) * order.size() + left);
    std::swap(order[left - 1], order[draw % left]);
  }
  return order;
}

}  // namespace

std::vector<Slot> shuffled_blocks(int revisions, int runs, std::uint64_t seed) {
  std::vector<Slot> slots = interleave(revisions, runs);
  std::vector<int> order;
  int block = -1;
  for (Slot& slot : slots) {
    if (slot.block != std::exchange(block, slot.block)) order = block_order(revisions, seed, slot.block);
    slot.revision = order[static_cast<std::size_t>(slot.revision)];
  }
  return slots;
}

// SplitMix64 of Steele, Lea and Flood: a counter, mixed.
std::uint64_t lot(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t mixed = seed + (index + 1) * 0x9e3779b97f4a7c15U;
  mixed = (mixed ^ (mixed >> 30U)) * 0xbf58476d1ce4e5b9U;
  mixed = (mixed ^ (mixed >> 27U)) * 0x94d049bb133111ebU;
  return mixed ^ (mixed >> 31U);
}

}  // namespace kilter::robot
