#include "bench/topology.h"

#include <doctest/doctest.h>

#include <numeric>

using namespace kilter;
using namespace kilter::bench;

namespace {

// 2 sockets x 4 cores x 2 threads: CPUs 0-3 and 8-11 on socket 0, 4-7 and 12-15 on socket 1.
const os::Root kTwoSockets(TESTS_DIR "/root/two-sockets");
// The same with CPUs 2, 9 and 12 off.
const os::Root kSomeOffline(TESTS_DIR "/root/two-sockets-offline");

std::vector<int> all_sixteen() {
  std::vector<int> cpus(16);
  std::iota(cpus.begin(), cpus.end(), 0);
  return cpus;
}

}  // namespace

TEST_CASE("a core is one place with all its hardware threads, socket after socket") {
  CHECK(places(kTwoSockets, all_sixteen(), Granularity::core) ==
        std::vector<Place>{{0, 8}, {1, 9}, {2, 10}, {3, 11}, {4, 12}, {5, 13}, {6, 14}, {7, 15}});
}

TEST_CASE("hardware threads of one core stand side by side") {
  const std::vector<Place> threads = places(kTwoSockets, all_sixteen(), Granularity::hardware_thread);
  REQUIRE(threads.size() == 16);
  CHECK(threads[0] == Place{0});
  CHECK(threads[1] == Place{8});
  CHECK(threads[2] == Place{1});
  CHECK(threads[15] == Place{15});
}

TEST_CASE("offline CPUs are left out and their sibling keeps the core") {
  CHECK(places(kSomeOffline, all_sixteen(), Granularity::core) ==
        std::vector<Place>{{0, 8}, {1}, {3, 11}, {10}, {4}, {5, 13}, {6, 14}, {7, 15}});
}

TEST_CASE("only CPUs of the affinity mask are used") {
  CHECK(places(kTwoSockets, {8, 4, 12}, Granularity::core) == std::vector<Place>{{4, 12}, {8}});
}

TEST_CASE("without topology files every CPU is a core") {
  CHECK(places(os::Root("/nonexistent"), {0, 1, 5}, Granularity::core) == std::vector<Place>{{0}, {1}, {5}});
}
