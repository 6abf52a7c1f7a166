#include "os/debugfs.h"

#include <doctest/doctest.h>

#include <unistd.h>

using namespace kilter::os;

TEST_CASE("root finds the scheduler's debug file whether or not debugfs is mounted") {
  const bool mounted = std::filesystem::exists("/sys/kernel/debug/sched");
  const Root machine;
  if (::geteuid() != 0 && !mounted) {
    CHECK(debugfs() == "/sys/kernel/debug");
    return;
  }
  const kilter::Result<std::string> text = machine.read("/sys/kernel/debug/sched/debug");
  if (!text) {
    MESSAGE("not tested: a kernel without debugfs, or a container that may not mount");
    return;
  }
  CHECK(text->starts_with("Sched Debug Version"));
  CHECK(std::filesystem::exists("/sys/kernel/debug/sched") == mounted);
}

TEST_CASE("a recorded machine's debug files are its own") {
  CHECK(Root("/some/machine").at("/sys/kernel/debug/sched/debug") ==
        "/some/machine/sys/kernel/debug/sched/debug");
}
