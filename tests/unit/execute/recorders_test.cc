#include "unit/execute/run_fixture.h"

#include <unistd.h>

using namespace kilter;
using model::Outcome;

namespace {

struct RecorderFixture : RunFixture {
  void record(std::vector<std::string> more = {}) {
    model::Recorder recorder{.name = "sampler", .argv = {program("recorder"), "{rundir}/recorded"}};
    recorder.argv.insert(recorder.argv.end(), more.begin(), more.end());
    request.plan.recorders.push_back(recorder);
    add({"true"});
  }
};

}  // namespace

TEST_CASE_FIXTURE(RecorderFixture, "a recorder runs before the workload starts, and is stopped after it") {
  record();
  const execute::RunResult result = run();
  CHECK(result.notes.empty());
  CHECK(file("recorded") == "stopped\n");
  CHECK(result.record.monitor_cpu > 0);
}

TEST_CASE_FIXTURE(RecorderFixture, "a recorder that dies is left out with its last words") {
  record({"dies"});
  const execute::RunResult result = run();
  CHECK(result.record.outcome == Outcome::ok);
  CHECK(notes(result) == "recorder 'sampler' exited with 7: no counters here\n");
}

TEST_CASE_FIXTURE(RecorderFixture, "a recorder that is not there is left out") {
  request.plan.recorders.push_back({.name = "perf", .argv = {"no-such-perf"}});
  add({"true"});
  CHECK(notes(run()) == "recorder 'perf' left out: starting 'no-such-perf': no such program in PATH\n");
}

TEST_CASE_FIXTURE(RecorderFixture, "a recorder that ends during the run is told of") {
  request.plan.recorders.push_back({.name = "short", .argv = {"sh", "-c", "echo ready; exit 3"}});
  add({"sleep", "0.2"});
  CHECK(notes(run()) == "recorder 'short' exited with 3\n");
}

TEST_CASE_FIXTURE(RecorderFixture, "a chatty recorder does not block") {
  request.plan.recorders.push_back(
      {.name = "chatty", .argv = {"sh", "-c", "echo ready; head -c 1000000 /dev/zero; exit 3"}});
  add({"sleep", "0.3"});
  CHECK(notes(run()) == "recorder 'chatty' exited with 3\n");
}

TEST_CASE_FIXTURE(RunFixture, "the body starts when its daemon listens") {
  const std::string port = std::to_string(20000 + ::getpid() % 20000);
  request.plan.workload.daemons = {{.argv = {program("listen"), port, "100"}}};
  request.plan.workload.ready_port = "tcp:" + port;
  add({"sh", "-c", "grep -q :" + [&] {
         char hex[8];
         std::snprintf(hex, sizeof hex, "%04X", std::stoi(port));
         return std::string(hex);
       }() + " /proc/net/tcp"});
  const execute::RunResult result = run();
  CHECK(result.record.reason.empty());
  CHECK(result.record.outcome == Outcome::ok);
  CHECK(result.notes.empty());
}

TEST_CASE_FIXTURE(RunFixture, "a daemon that cannot start ends the run with its words") {
  request.plan.workload.daemons = {{.argv = {"sh", "-c", "echo address in use >&2; exit 1"}}};
  request.plan.workload.ready_port = "tcp:" + std::to_string(20000 + ::getpid() % 20000);
  add({"true"});
  const execute::RunResult result = run();
  CHECK(result.record.outcome == Outcome::infra_failed);
  CHECK(result.record.reason == "sh exited with 1: address in use");
}

TEST_CASE_FIXTURE(RunFixture, "a daemon that dies under the benchmark fails the test") {
  request.plan.workload.daemons = {{.argv = {"sh", "-c", "echo out of memory; exit 1"}}};
  add({"sleep", "0.3"});
  const execute::RunResult result = run();
  CHECK(result.record.outcome == Outcome::test_failed);
  CHECK(result.record.reason == "sh exited with 1: out of memory");
}

TEST_CASE_FIXTURE(RunFixture, "a port that another program serves already is not measured") {
  const std::string port = std::to_string(20000 + ::getpid() % 20000);
  const std::unique_ptr<os::Process> other =
      *os::system_runner().start({.argv = {program("listen"), port, "0"}});
  request.plan.workload.ready_port = "tcp:" + port;
  add({"true"});
  execute::RunResult result = run();
  for (int i = 0; i < 100 && result.record.outcome == Outcome::ok; ++i) result = run();
  CHECK(result.record.outcome == Outcome::infra_failed);
  CHECK(result.record.reason == "tcp:" + port + " is in use already: another daemon would be measured");
}
