#include "base/text.h"
#include "unit/execute/run_fixture.h"

#include <filesystem>

// Benchmarks that misbehave.
using namespace kilter;
using model::Outcome;

namespace {

bool lives(const os::Path& pid_file) {
  const std::string pid = os::read_file(pid_file).value_or("");
  REQUIRE_FALSE(pid.empty());
  const Result<std::string> stat = os::read_file("/proc/" + pid + "/stat");
  return stat && !stat->contains(") Z ");
}

bool can_mount() {
  const Result<os::ProcessResult> result =
      os::system_runner().run({.argv = {"unshare", "-m", "mount", "-t", "tmpfs", "none", "/mnt"}});
  return result && result->ok();
}

}  // namespace

TEST_CASE_FIXTURE(RunFixture,
                  "a benchmark that forks into the background and ends does not outlive its run") {
  const os::Path pid_file = temp.path() / "pid";
  add({program("escape"), pid_file.string()});
  const execute::RunResult result = run();
  CHECK(result.record.outcome == Outcome::ok);
  CHECK_FALSE(lives(pid_file));
  CHECK(notes(result).contains("mytest left 1 process behind: killed\n"));
}

TEST_CASE_FIXTURE(RunFixture, "a benchmark that never ends is timed-out") {
  add({"sleep", "600"});
  request.plan.workload.timeout = 0.2;
  const execute::RunResult result = run();
  CHECK(result.record.outcome == Outcome::timed_out);
  CHECK(result.record.reason == "mytest was not done after 0.2s");
  CHECK(result.record.elapsed < 5);
  CHECK(file("time").starts_with("Command terminated by signal 15\n"));
}

TEST_CASE_FIXTURE(RunFixture, "a benchmark that ignores SIGTERM is killed when its time is up") {
  add({program("stubborn")}).copies = 2;
  request.time_limit = 0.2;
  const execute::RunResult result = run();
  CHECK(result.record.outcome == Outcome::timed_out);
  CHECK(file("time").starts_with("Command terminated by signal 9\n"));
  CHECK(file("mytest").ends_with("not going\nnot going\n"));
}

TEST_CASE_FIXTURE(RunFixture, "a benchmark that prints for ever is cut") {
  add({program("flood")});
  request.log_limit = std::uint64_t{1} << 20;
  const execute::RunResult result = run();
  CHECK(result.record.outcome == Outcome::test_failed);
  CHECK(result.record.reason == "mytest: output over 1.0 MiB");
  CHECK(file("mytest").size() == request.log_limit);
}

TEST_CASE_FIXTURE(RunFixture, "too much output is no result either when the benchmark was quick about it") {
  add({"sh", "-c", "head -c 3000000 /dev/zero"}).copies = 2;
  request.log_limit = std::uint64_t{1} << 20;
  const execute::RunResult result = run();
  CHECK(result.record.outcome == Outcome::test_failed);
  CHECK(result.record.reason == "mytest: output over 1.0 MiB");
  CHECK(file("mytest").size() == request.log_limit);
}

TEST_CASE_FIXTURE(RunFixture, "a benchmark that crashes is test-failed") {
  add({"sh", "-c", "kill -SEGV $$"});
  const execute::RunResult result = run();
  CHECK(result.record.outcome == Outcome::test_failed);
  CHECK(result.record.reason == "sh was killed by SIGSEGV");
}

TEST_CASE_FIXTURE(RunFixture, "garbage ends in the log as it came, and not in the reason") {
  add({program("garbage"), "100000"});
  const execute::RunResult result = run();
  CHECK(result.record.outcome == Outcome::test_failed);
  CHECK(result.record.reason.starts_with("garbage exited with 3"));
  CHECK(result.record.reason == printable(result.record.reason));
  CHECK_FALSE(result.record.reason.contains('\n'));
  CHECK(file("mytest").contains("\033[2J"));
}

TEST_CASE_FIXTURE(RunFixture,
                  "a benchmark that prints nothing is ok here: what is missing shows in its metrics") {
  add({"true"});
  CHECK(run().record.outcome == Outcome::ok);
  CHECK(lines(file("mytest")).size() == 1);
}

TEST_CASE_FIXTURE(RunFixture, "all copies are stopped when one cannot be started or the time is up") {
  model::PlannedCommand& command = add({"sleep", "600"});
  command.cpus = {4000};
  command.copies = 3;
  const execute::RunResult result = run();
  CHECK(result.record.outcome == Outcome::infra_failed);
  CHECK(result.record.reason == "starting 'sleep': Invalid argument");
}

TEST_CASE_FIXTURE(RunFixture, "a run directory that cannot be written is an error") {
  add({"true"});
  request.run_dir = temp.path() / "none" / "run";
  std::filesystem::create_symlink("/proc/none", temp.path() / "none");
  const Result<execute::RunResult> result = machine->run(request);
  REQUIRE_FALSE(result);
  CHECK(result.error().message.contains("none/run"));
}

TEST_CASE_FIXTURE(RunFixture, "a home that cannot be written is an error with advice") {
  add({"true"});
  request.home = "/proc/none";
  const Result<execute::RunResult> result = machine->run(request);
  REQUIRE_FALSE(result);
  CHECK(result.error().message.starts_with("making directory '/proc/none"));
  CHECK(result.error().hint == "use another --home");
}

TEST_CASE_FIXTURE(RunFixture, "a reason is a line that can be read, whatever the plan holds") {
  add({std::string(1'000'000, 'n')});
  const Result<execute::RunResult> result = machine->run(request);
  REQUIRE(result);
  CHECK(result->record.outcome == model::Outcome::infra_failed);
  CHECK(result->record.reason.size() < 1000);
}

TEST_CASE("a run that fills its disk is infra-failed, and can still say so") {
  if (!can_mount()) {
    MESSAGE("skipped: needs the right to mount a tmpfs");
    return;
  }
  for (const std::string target : {"", "file"}) {
    const os::TempDir temp = *os::TempDir::create("/tmp", "kilter-full");
    const std::string plan =
        R"({"testcase":"full","workload":{"program":"full","timeout":30,"body":[{"argv":[")" +
        RunFixture::program("flood") + "\"" + (target.empty() ? "" : ",\"" + target + "\"") + "]}]}}";
    REQUIRE(os::write_file(temp.path() / "plan.json", plan));
    const std::string script =
        "mkdir disk && mount -t tmpfs -o size=6m none disk && "
        "KILTER_HOME=disk/home " BIN_DIR
        "/kilter-agent run plan.json disk/run; cat disk/run/outcome.json disk/run/plan.json";
    const Result<os::ProcessResult> result = os::system_runner().run(
        {.argv = {"unshare", "-m", "sh", "-c", script}, .cwd = temp.path(), .timeout = 60});
    REQUIRE(result);
    CHECK(result->out.starts_with("infra-failed: the disk of '"));
    CHECK(result->out.contains("\"outcome\": \"infra-failed\""));
    CHECK(result->out.contains("\"testcase\": \"full\""));
  }
}
