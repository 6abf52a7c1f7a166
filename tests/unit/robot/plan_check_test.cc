#include "robot/plan_check.h"

#include "job/expand.h"
#include "suite/catalogue.h"

#include <doctest/doctest.h>

#include <string>

using namespace kilter;
using namespace kilter::robot;

namespace {

model::UnitJob unit_of(const std::string& text) {
  const job::FileReader read = [text](const std::string& path) {
    return path == "x.yaml" ? std::optional<std::string>(text) : std::nullopt;
  };
  Result<std::vector<model::UnitJob>> units = job::expand("x.yaml", read, {.defaults = false});
  if (!units) FAIL(units.error().message);
  return std::move(units->front());
}

const suite::Suite& suite_of(const std::string& name) {
  static const Result<suite::Catalogue> catalogue = suite::Catalogue::load();
  return **catalogue->get(name);
}

std::string warnings_of(const std::string& text, const std::string& suite) {
  const Result<std::vector<std::string>> warnings = plan_warnings(unit_of(text), suite_of(suite));
  if (!warnings) return "error: " + warnings.error().message;
  std::string all;
  for (const std::string& warning : *warnings) all += warning + "\n";
  return all;
}

constexpr const char* kHackbench = "suite: hackbench\ntestcase: hackbench\nhackbench:\n";

}  // namespace

TEST_CASE("a set-up program without a step is listed as not done") {
  const model::UnitJob job = unit_of(
      "suite: fio-basic\ntestcase: fio-basic\ncpufreq_governor: performance\ndisk: 1HDD\nfs: ext4\n"
      "iosched:\nnr_hugepages: 10\nfio-setup-basic:\nfio:\n  rw: read\n");
  std::string names;
  for (const model::SkippedSetting& setting : settings_not_done(job, suite_of("fio-basic")))
    names += setting.name + " ";
  CHECK(names == "disk fs nr_hugepages ");
}

TEST_CASE("a parameter that no command of the suite gets is listed as not done") {
  const model::UnitJob job = unit_of(
      "suite: hackbench\ntestcase: hackbench\nnr_threads_by_instance: 4\nnr_instances: 2\ncpus: "
      "0\nhackbench:\n  ipc: pipe\n");
  const std::vector<model::SkippedSetting> skipped = settings_not_done(job, suite_of("hackbench"));
  REQUIRE(skipped.size() == 1);
  CHECK(skipped[0].name == "nr_threads_by_instance");
  CHECK(skipped[0].reason == "the suite hackbench has no such parameter");
}

TEST_CASE("a sysctl is done by its own step") {
  const model::UnitJob job = unit_of(
      "suite: hackbench\ntestcase: hackbench\nsysctl:\n  vm.swappiness: 10\nhackbench:\n  ipc: pipe\n");
  CHECK(job.axes.at("vm.swappiness") == "10");
  CHECK(settings_not_done(job, suite_of("hackbench")).empty());
}

TEST_CASE("a program that nobody runs is told with its place") {
  CHECK(warnings_of(std::string(kHackbench) + "vmstatt:\n", "hackbench")
            .starts_with("x.yaml:4:1: 'vmstatt': no such monitor or program: it is not run"));
  CHECK(warnings_of(std::string(kHackbench) + "vmstatt:\n", "hackbench").contains("did you mean 'vmstat'?"));
  CHECK(warnings_of(std::string(kHackbench) + "tbench:\n  runtime: 1\n", "hackbench")
            .contains("'tbench': one test a unit job: hackbench is measured"));
  CHECK(warnings_of(std::string(kHackbench) + "memcached:\n", "hackbench").contains("it is not started"));
  CHECK(warnings_of(std::string(kHackbench) + "vmstat:\n", "hackbench").empty());
  CHECK(warnings_of("suite: netperf\ntestcase: netperf\nif role server:\n  netserver:\nif role client:\n"
                    "  netperf:\n    test: TCP_RR\n",
                    "netperf")
            .empty());
}

TEST_CASE("a monitor's interval must be a time, its options must exist") {
  CHECK(warnings_of(std::string(kHackbench) + "meminfo:\n  interval: abc\n", "hackbench") ==
        "error: x.yaml:5:13: planning monitor 'meminfo': interval 'abc' is not a time of at least 10ms");
  CHECK(warnings_of(std::string(kHackbench) + "vmstat:\n  intervall: 2\n", "hackbench") ==
        "x.yaml:5:14: monitor 'vmstat' has no option 'intervall', did you mean 'interval'?\n");
  CHECK(warnings_of(
            std::string(kHackbench) + "perf-sched:\n  lite_mode: 1\nmpstat:\n  cpus: 1\n  interval: 0.5\n",
            "hackbench")
            .empty());
}

TEST_CASE("a parameter that would be no axis is refused where it stands") {
  const std::string job = "suite: mine\ntestcase: mine\nblob: 5\nmine:\n";
  suite::Suite mine{.name = "mine", .program = "mine"};
  CHECK(plan_warnings(unit_of(job), mine).has_value());
  mine.parameters.push_back({.name = "blob"});
  const Result<std::vector<std::string>> refused = plan_warnings(unit_of(job), mine);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message.starts_with("x.yaml:3:7: planning mine: 'blob' stands outside"));
  CHECK(plan_warnings(unit_of("suite: mine\ntestcase: mine\nmine:\n  blob: 5\n"), mine).has_value());
}
