#include "bench/cpu_clock.h"

#include <doctest/doctest.h>

using namespace kilter::bench;

TEST_CASE("waiting for input is idle and guest time counts once") {
  const auto times = parse_cpu_times("cpu  100 10 50 1000 40 3 7 5 60 6");
  REQUIRE(times);
  CHECK(times->idle == 1040);
  CHECK(times->busy == 175);
}

TEST_CASE("old kernels with fewer columns are read and other lines are not") {
  CHECK(parse_cpu_times("cpu  1 2 3 4")->idle == 4);
  CHECK_FALSE(parse_cpu_times("cpu0 1 2 3 4"));
  CHECK_FALSE(parse_cpu_times("cpu  1 2 x"));
  CHECK_FALSE(parse_cpu_times(""));
}

TEST_CASE("idle is the share of ticks, and 0 where no tick passed") {
  CHECK(idle_percent({100, 100}, {190, 110}) == 90.0);
  CHECK(idle_percent({100, 100}, {100, 100}) == 0.0);
  CHECK(idle_percent({100, 100}, {99, 110}) == 0.0);
}

TEST_CASE("this machine's ticks only grow") {
  const CpuClock clock;
  const CpuTimes begin = clock.read();
  const CpuTimes end = clock.read();
  CHECK(begin.idle + begin.busy > 0);
  CHECK(end.busy >= begin.busy);
}
