#include "os/containment.h"

#include "base/text.h"
#include "os/interrupt.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <unistd.h>

using namespace kilter;
using namespace kilter::os;

namespace {

std::string program(const std::string& name) {
  return std::string(BIN_DIR) + "/programs/" + name;
}

std::string fresh_id() {
  static int count = 0;
  return "test-" + std::to_string(::getpid()) + "-" + std::to_string(++count);
}

// A root without cgroups, so that the other nets are tested alone.
Root without_cgroups() {
  return Root("/nonexistent");
}

bool lives(pid_t pid) {
  const Result<std::string> text = read_file("/proc/" + std::to_string(pid) + "/stat");
  return text && !text->contains(") Z ");
}

pid_t pid_in(const Path& file) {
  return static_cast<pid_t>(parse_int(read_file(file).value_or("")).value_or(0));
}

bool somebody_carries(const std::string& id) {
  for (const Path& process : list_directory("/proc"))
    if (read_file(process / "environ").value_or("").contains("KILTER_RUN=" + id)) return true;
  return false;
}

struct Escaped {
  TempDir temp = *TempDir::create("/tmp", "kilter-containment");
  pid_t daemon = 0;

  void start(Containment& containment, std::vector<std::string> more = {}) {
    Command command{.argv = {program("escape"), (temp.path() / "pid").string()}};
    command.argv.insert(command.argv.end(), more.begin(), more.end());
    containment.enclose(command);
    const Result<ProcessResult> result = system_runner().run(command);
    REQUIRE(result);
    REQUIRE(result->exit_code == 0);
    daemon = pid_in(temp.path() / "pid");
    REQUIRE(daemon > 1);
    REQUIRE(lives(daemon));
  }
};

}  // namespace

TEST_CASE("a daemon in a session of its own does not outlive its run") {
  Escaped escaped;
  Containment containment(Root(), fresh_id());
  escaped.start(containment);
  const Containment::Swept swept = containment.sweep();
  CHECK(swept.killed == 1);
  CHECK(swept.clean);
  CHECK_FALSE(lives(escaped.daemon));
}

TEST_CASE("without a cgroup a daemon is found as an orphan, even when it threw its environment away") {
  for (const std::vector<std::string>& more : {std::vector<std::string>{}, {"bare"}}) {
    Escaped escaped;
    Containment containment(without_cgroups(), fresh_id());
    CHECK_FALSE(containment.cgroup());
    escaped.start(containment, more);
    CHECK(containment.sweep().clean);
    CHECK_FALSE(lives(escaped.daemon));
  }
}

TEST_CASE("a process that hands itself on all the time is caught") {
  for (const Root& root : {Root(), without_cgroups()}) {
    const std::string id = fresh_id();
    Containment containment(root, id);
    Command command{.argv = {program("relay")}};
    containment.enclose(command);
    REQUIRE(system_runner().run(command));
    CHECK(containment.sweep().clean);
    for (int i = 0; i < 20; ++i) CHECK_FALSE(somebody_carries(id));
  }
}

TEST_CASE("children that are not of the run are left alone") {
  Result<std::unique_ptr<Process>> sampler = system_runner().start({.argv = {"sleep", "60"}});
  REQUIRE(sampler);
  {
    Containment containment(Root(), fresh_id());
    CHECK(containment.sweep().killed == 0);
  }
  CHECK_FALSE((*sampler)->ended());
}

TEST_CASE("the cgroup of a run goes with it") {
  std::optional<Cgroup> group;
  {
    Escaped escaped;
    Containment containment(Root(), fresh_id());
    group = containment.cgroup();
    if (!group) {
      MESSAGE("skipped: no cgroup can be made here");
      return;
    }
    escaped.start(containment);
    const std::vector<pid_t> inside = group->processes();
    CHECK(std::ranges::find(inside, escaped.daemon) != inside.end());
  }
  CHECK_FALSE(std::filesystem::exists(group->path()));
}

TEST_CASE("what a killed kilter left behind is found by its environment") {
  Escaped escaped;
  const std::string id = fresh_id();
  Containment containment(without_cgroups(), id);
  escaped.start(containment);
  sweep_stale(id, {});
  CHECK_FALSE(lives(escaped.daemon));
}

TEST_CASE("the usage of daemons that have ended is counted") {
  const TempDir temp = *TempDir::create("/tmp", "kilter-containment");
  const std::string done = (temp.path() / "done").string();
  Containment containment(Root(), fresh_id());
  Command command{
      .argv = {"sh", "-c", "setsid sh -c '" + program("burn") + " 0.1; touch " + done + "' & sleep 0.01"}};
  containment.enclose(command);
  REQUIRE(system_runner().run(command));
  for (int i = 0; i < 2000 && !std::filesystem::exists(done); ++i) ::usleep(5000);
  const Containment::Swept swept = containment.sweep();
  CHECK(swept.usage.user + swept.usage.system >= 0.1);
}
