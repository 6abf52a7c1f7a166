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
