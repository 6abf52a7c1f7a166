#include "bench/crew.h"

#include "bench/messaging.h"
#include "bench/ping_pong.h"
#include "bench/timer.h"

#include <doctest/doctest.h>

#include <csignal>
#include <unistd.h>

using namespace kilter;
using namespace kilter::bench;

TEST_CASE("no member starts before all are ready") {
  const auto ready = SharedArray<std::atomic<int>>::create(1);
  const auto early = SharedArray<std::atomic<int>>::create(1);
  const auto crew = Crew::create(Crew::Kind::processes, 3);
  REQUIRE(crew);
  for (int i = 0; i < 3; ++i)
    REQUIRE((*crew)->add([&](unsigned) -> Status {
      (*ready)[0] += 1;
      (*crew)->wait_for_start();
      if ((*ready)[0] != 3) (*early)[0] += 1;
      return {};
    }));
  REQUIRE((*crew)->start());
  REQUIRE((*crew)->join());
  CHECK((*early)[0] == 0);
}

TEST_CASE("the error of one member ends the others and is the answer") {
  const auto crew = Crew::create(Crew::Kind::processes, 2);
  REQUIRE(crew);
  REQUIRE((*crew)->add([](unsigned) -> Status { return ::pause(), Status(); }));
  REQUIRE((*crew)->add([](unsigned) -> Status { return failure("no luck"); }));
  const Status joined = (*crew)->join();
  REQUIRE_FALSE(joined);
  CHECK(joined.error().message == "no luck");
}

TEST_CASE("a member killed by a signal is an error too") {
  const auto crew = Crew::create(Crew::Kind::processes, 1);
  REQUIRE(crew);
  REQUIRE((*crew)->add([](unsigned) -> Status { return ::raise(SIGKILL), Status(); }));
  const Result<double> started = (*crew)->start();
  REQUIRE_FALSE(started);
  CHECK(started.error().message.find("SIGKILL") != std::string::npos);
}

TEST_CASE("the timer interrupts a call that blocks") {
  set_timer(0.02);
  while (time_is_up == 0) ::pause();
  cancel_timer();
  CHECK(time_is_up == 1);
}

TEST_CASE("ping-pong and messaging come to their end in processes and in threads") {
  for (const Crew::Kind kind : {Crew::Kind::processes, Crew::Kind::threads}) {
    CHECK(ping_pong(kind, 100).value() > 0);
    CHECK(run({.groups = 1, .loops = 2, .kind = kind}).value() > 0);
    CHECK(run({.groups = 1, .loops = 2, .pipes = true, .kind = kind}).value() > 0);
  }
}
