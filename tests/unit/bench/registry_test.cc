#include "bench/scale/registry.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

using namespace kilter::bench::scale;

TEST_CASE("there are sixty tests, each with its own name and a description") {
  std::set<std::string_view> names;
  for (const Test* test : tests()) {
    names.insert(test->name);
    CHECK_FALSE(test->description.empty());
    CHECK((test->run != nullptr));
    CHECK(find_test(test->name) == test);
  }
  CHECK(tests().size() == 60);
  CHECK(names.size() == 60);
  CHECK(std::ranges::is_sorted(tests(), {}, [](const Test* test) { return test->name; }));
}

TEST_CASE("a single test is named as upstream names its binaries") {
  const auto found = single_test("eventfd1_threads");
  REQUIRE(found);
  CHECK(found->first->name == "eventfd1");
  CHECK(found->second == Mode::thread);
  CHECK(single_test("sched_yield_processes")->second == Mode::process);
  CHECK_FALSE(single_test("eventfd1"));
  CHECK_FALSE(single_test("eventfd9_threads"));
  CHECK_FALSE(single_test("_threads"));
}
