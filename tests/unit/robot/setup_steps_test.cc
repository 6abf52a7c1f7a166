#include "robot/setup_steps.h"

#include <doctest/doctest.h>

using namespace kilter;
using namespace kilter::robot;
using model::Node;

namespace {

model::UnitJob job_with(std::string_view key, Node value) {
  model::UnitJob job;
  job.body = Node::map();
  job.body.set(key, std::move(value));
  return job;
}

os::Path make_cpus(const os::TempDir& dir, int count) {
  for (int cpu = 0; cpu < count; ++cpu) {
    const os::Path folder = dir.path() / "sys/devices/system/cpu" / ("cpu" + std::to_string(cpu)) / "cpufreq";
    REQUIRE(os::make_directories(folder));
    REQUIRE(os::write_file(folder / "scaling_governor", "powersave\n"));
  }
  return dir.path();
}

}  // namespace

TEST_CASE("the governor is set on every CPU that has one") {
  const Result<os::TempDir> dir = os::TempDir::create("/tmp", "setup-test");
  REQUIRE(dir);
  const os::Root root(make_cpus(*dir, 3));
  const std::vector<model::Step> steps =
      setup_steps(job_with("cpufreq_governor", Node::scalar("performance")), root);
  REQUIRE(steps.size() == 3);
  CHECK(steps[2].path == "/sys/devices/system/cpu/cpu2/cpufreq/scaling_governor");
  CHECK(steps[2].value == "performance");
}

TEST_CASE("without cpufreq one step stays in the plan so that its skipping is told") {
  const os::Root nothing("/nonexistent");
  CHECK(setup_steps(job_with("cpufreq_governor", Node::scalar("performance")), nothing).size() == 1);
}

TEST_CASE("sysctl names become paths and a null value means leave it alone") {
  const os::Root root("/nonexistent");
  Node settings = Node::map();
  settings.set("kernel.sched_autogroup_enabled", Node::scalar("0"));
  const std::vector<model::Step> steps = setup_steps(job_with("sysctl", settings), root);
  REQUIRE(steps.size() == 1);
  CHECK(steps[0].path == "/proc/sys/kernel/sched_autogroup_enabled");
  CHECK(setup_steps(job_with("cpufreq_governor", Node()), root).empty());
}

TEST_CASE("stress-ng leaves autogroups alone unless the job asks") {
  model::UnitJob job;
  job.program = "stress-ng";
  job.body = Node::map();
  CHECK(setup_steps(job, os::Root()).empty());
  job.body.set("sched_autogroup", Node::scalar("0"));
  CHECK(setup_steps(job, os::Root()).size() == 1);
}
