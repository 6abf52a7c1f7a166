#include "robot/interleave.h"

#include <doctest/doctest.h>

using namespace kilter::robot;

TEST_CASE("two revisions run A B B A in each block") {
  const std::vector<Slot> slots = interleave(2, 4);
  std::vector<int> order;
  for (const Slot& slot : slots) order.push_back(slot.revision);
  CHECK(order == std::vector<int>{0, 1, 1, 0, 0, 1, 1, 0});
  CHECK(slots[3].block == 0);
  CHECK(slots[3].place == 3);
  CHECK(slots[4].block == 1);
}

TEST_CASE("every revision gets its runs, odd numbers too") {
  std::vector<int> count(3);
  for (const Slot& slot : interleave(3, 5)) ++count[static_cast<std::size_t>(slot.revision)];
  CHECK(count == std::vector<int>{5, 5, 5});
  CHECK(interleave(0, 5).empty());
}

TEST_CASE("shuffled blocks are ABBA or BAAB by lot, and fewer runs are the first of more") {
  const std::vector<Slot> slots = shuffled_blocks(2, 200, 7);
  int forwards = 0;
  for (std::size_t at = 0; at < slots.size(); at += 4) {
    CHECK(slots[at].revision == slots[at + 3].revision);
    CHECK(slots[at + 1].revision == slots[at + 2].revision);
    CHECK(slots[at].revision != slots[at + 1].revision);
    CHECK(slots[at + 3].place == 3);
    forwards += slots[at].revision == 0 ? 1 : 0;
  }
  CHECK(forwards > 30);
  CHECK(forwards < 70);
  const std::vector<Slot> few = shuffled_blocks(2, 5, 7);
  REQUIRE(few.size() == 10);
  for (std::size_t i = 0; i < few.size(); ++i) CHECK(few[i].revision == slots[i].revision);
}

TEST_CASE("shuffled blocks of three revisions hold each twice, in one order and its reverse") {
  std::vector<int> firsts(3);
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const std::vector<Slot> slots = shuffled_blocks(3, 2, seed);
    REQUIRE(slots.size() == 6);
    for (std::size_t i = 0; i < 3; ++i) CHECK(slots[i].revision == slots[5 - i].revision);
    CHECK(slots[0].revision + slots[1].revision + slots[2].revision == 3);
    ++firsts[static_cast<std::size_t>(slots[0].revision)];
  }
  for (const int count : firsts) CHECK(count > 5);
  CHECK(shuffled_blocks(0, 5, 1).empty());
}
