#include "model/json.h"
#include "unit/execute/run_fixture.h"

using namespace kilter;
using model::Outcome;

TEST_CASE_FIXTURE(RunFixture, "a run leaves the files of a run directory and nothing else") {
  add({"echo", "hello"});
  request.job_text = "suite: mytest\n";
  const execute::RunResult result = run();
  CHECK(result.record.outcome == Outcome::ok);
  CHECK(result.record.reason.empty());
  CHECK(result.record.fingerprint.size() == 16);
  std::vector<std::string> names;
  for (const os::Path& path : os::list_directory(request.run_dir)) names.push_back(path.filename());
  CHECK(names == std::vector<std::string>{"job.yaml", "machine.json", "mytest", "mytest.time", "outcome.json",
                                          "plan.json", "reproduce.sh", "time"});
  CHECK(file("job.yaml") == "suite: mytest\n");
  CHECK(os::list_directory(request.home / "journal").empty());
}

TEST_CASE_FIXTURE(RunFixture,
                  "the log holds each command with its time and what it printed, errors included") {
  add({"sh", "-c", "echo out; echo err >&2"});
  run();
  const std::string log = file("mytest");
  CHECK(log.substr(4, 1) == "-");
  CHECK(log.substr(19) == " sh -c 'echo out; echo err >&2'\nout\nerr\n");
}

TEST_CASE_FIXTURE(RunFixture, "outcome.json is the run's record") {
  request.record.axes = {{"testcase", "mytest"}, {"commit", "abc"}};
  add({"true"});
  const execute::RunResult result = run();
  const Result<nlohmann::json> json = model::parse_json(file("outcome.json"), "outcome");
  REQUIRE(json);
  const Result<model::RunRecord> record = model::run_record_from_json(*json);
  REQUIRE(record);
  CHECK(record->outcome == Outcome::ok);
  CHECK(record->axes == request.record.axes);
  CHECK(record->elapsed > 0);
  CHECK(record->overhead > 0);
  CHECK(record->boot_id == result.record.boot_id);
}

TEST_CASE_FIXTURE(RunFixture, "a benchmark that fails is test-failed with its last words") {
  add({"sh", "-c", "echo fine; echo 'no such stressor' >&2; exit 2"});
  const execute::RunResult result = run();
  CHECK(result.record.outcome == Outcome::test_failed);
  CHECK(result.record.reason == "sh exited with 2: no such stressor");
  CHECK(file("time").starts_with("Command exited with non-zero status 2\n"));
}

TEST_CASE_FIXTURE(RunFixture, "a benchmark that fails without a word has no last words, not ours") {
  add({"false"});
  CHECK(run().record.reason == "false exited with 1");
}

TEST_CASE_FIXTURE(RunFixture, "a command that may fail does not fail the test") {
  add({"false"}).may_fail = true;
  add({"echo", "next"});
  CHECK(run().record.outcome == Outcome::ok);
  CHECK(file("mytest").ends_with("echo next\nnext\n"));
}

TEST_CASE_FIXTURE(RunFixture, "a missing benchmark is infra-failed and says what to do") {
  add({"no-such-benchmark", "-x"});
  const execute::RunResult result = run();
  CHECK(result.record.outcome == Outcome::infra_failed);
  CHECK(result.record.reason ==
        "starting 'no-such-benchmark': no such program in PATH; 'kilter install JOB' gets what a job needs");
}

TEST_CASE_FIXTURE(RunFixture, "copies run at once and their outputs follow each other whole") {
  add({"sh", "-c", "for i in 1 2 3; do echo line $i; sleep 0.01; done"}).copies = 3;
  run();
  const std::string log = file("mytest");
  const std::string whole = "line 1\nline 2\nline 3\n";
  CHECK(log.ends_with("\n" + whole + whole + whole));
}

TEST_CASE_FIXTURE(RunFixture, "iterations are counted in the log, and the time file sums them up") {
  add({"sh", "-c", "sleep 0.05"});
  request.plan.workload.iterations = 3;
  const execute::RunResult result = run();
  CHECK(file("mytest").contains("Iterations: 3\n"));
  CHECK(result.record.elapsed > 0.15);
}

TEST_CASE_FIXTURE(RunFixture, "the reason of a failure is its error line, not the advice below it") {
  add({"sh", "-c",
       "echo 'bad flag' >&2; echo 'hint: use -x' >&2; echo \"Try 'sh --help' for more\" >&2; exit 2"});
  CHECK(run().record.reason == "sh exited with 2: bad flag");
}

TEST_CASE_FIXTURE(RunFixture, "what the kernel does not support is no failure of the test") {
  add({"sh", "-c",
       "echo 'kilter-bench: SCTP is not supported by this kernel' >&2; echo 'hint: modprobe' >&2; exit 3"});
  const execute::RunResult result = run();
  CHECK(result.record.outcome == Outcome::infra_failed);
  CHECK(result.record.reason == "SCTP is not supported by this kernel");
}

TEST_CASE_FIXTURE(RunFixture, "a quiet command keeps what it complains of") {
  add({"sh", "-c", "echo out; echo err >&2"}).quiet = true;
  model::PlannedCommand& copies = add({"sh", "-c", "echo out; echo two >&2"});
  copies.quiet = true;
  copies.copies = 2;
  run();
  CHECK(file("mytest").contains("\nerr\n"));
  CHECK(file("mytest").contains("\ntwo\ntwo\n"));
  CHECK_FALSE(file("mytest").contains("\nout\n"));
}

TEST_CASE_FIXTURE(RunFixture, "temporary files of a command go to the run's scratch directory") {
  add({"sh", "-c", "cd /; echo \"at $TMPDIR\"; echo x > \"$TMPDIR/file\""});
  run();
  CHECK(file("mytest").contains("\nat " + (request.run_dir / "scratch").string() + "\n"));
  CHECK_FALSE(std::filesystem::exists(request.run_dir / "scratch"));
}

TEST_CASE_FIXTURE(RunFixture, "settings that were not made are told once and recorded") {
  add({"true"});
  request.plan.setup = {{.name = "governor", .path = "/nowhere/cpu0", .value = "performance"},
                        {.name = "governor", .path = "/nowhere/cpu1", .value = "performance"}};
  request.plan.skipped = {{"disk", "no such set-up"}};
  const execute::RunResult result = run();
  CHECK(result.record.skipped_settings ==
        std::vector<std::string>{"governor: this machine has no '/nowhere/cpu0'", "disk: no such set-up"});
  CHECK(notes(result) ==
        "set-up 'governor' skipped: this machine has no '/nowhere/cpu0'\n"
        "set-up 'disk' not done here: no such set-up\n");
  const nlohmann::json json = model::parse_json(file("outcome.json"), "outcome").value();
  CHECK(model::run_record_from_json(json)->skipped_settings == result.record.skipped_settings);
}
