#include "os/process.h"

#include <doctest/doctest.h>

using namespace kilter;
using namespace kilter::os;

TEST_CASE("a child's output, exit code and usage come back") {
  const Result<ProcessResult> result =
      system_runner().run({.argv = {"sh", "-c", "cat; echo err >&2; exit 3"}, .stdin_text = "hello"});
  REQUIRE(result);
  CHECK(result->out == "hello");
  CHECK(result->err == "err\n");
  CHECK(result->exit_code == 3);
  CHECK(result->how() == "exited with 3");
}

TEST_CASE("a program that is not there is an error and not exit code 127") {
  const Result<ProcessResult> result = system_runner().run({.argv = {"no-such-program-here"}});
  REQUIRE_FALSE(result);
  CHECK(result.error().message == "starting 'no-such-program-here': no such program in PATH");
}

TEST_CASE("a child that ignores SIGTERM is killed with its children when its time is up") {
  const Result<ProcessResult> result = system_runner().run(
      {.argv = {"sh", "-c", "trap '' TERM; sleep 60 & sleep 60"}, .timeout = 0.2, .grace = 0.1});
  REQUIRE(result);
  CHECK(result->timed_out);
  CHECK(result->signal == 9);
}

TEST_CASE("a missing working directory is named by the error") {
  CHECK_FALSE(system_runner().run({.argv = {"true"}, .cwd = "/no/such/place"}));
}
