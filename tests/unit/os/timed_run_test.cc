#include "os/timed_run.h"

#include "os/clock.h"
#include "os/perf_event.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <unistd.h>

using namespace kilter;
using namespace kilter::os;

namespace {

TimedRun timed(TimedCommand command, std::string* output = nullptr) {
  Result<TimedProgram> program = TimedProgram::prepare(std::move(command));
  REQUIRE(program);
  const Result<TimedRun> run = program->run(0);
  REQUIRE(run);
  if (output != nullptr) *output = program->output();
  return *run;
}

}  // namespace

TEST_CASE("a timed program's time, exit code and output of both streams come back") {
  std::string output;
  const TimedRun run = timed({.argv = {"sh", "-c", "sleep 0.05; echo out; echo err >&2; exit 3"}}, &output);
  CHECK(run.wall >= 0.05);
  CHECK(run.exit_code == 3);
  CHECK(run.how() == "exited with 3");
  CHECK(output == "out\nerr\n");
  CHECK(run.output_bytes == 8);
}

TEST_CASE("each execution of a timed program begins with empty output and the input at its start") {
  const Result<TempDir> folder = TempDir::create(std::filesystem::temp_directory_path(), "timed");
  REQUIRE(folder);
  REQUIRE(write_file(folder->path() / "input", "first\n"));
  Result<TimedProgram> program = TimedProgram::prepare({.argv = {"cat"}, .input = folder->path() / "input"});
  REQUIRE(program);
  for (int i = 0; i < 3; ++i) {
    REQUIRE(program->run(0));
    CHECK(program->output() == "first\n");
  }
}

TEST_CASE("of a long output the end is kept, and its length is known") {
  std::string output;
  const TimedRun run = timed({.argv = {"sh", "-c", "yes | head -c 50000000; echo last"}}, &output);
  CHECK(run.output_bytes == 50000005);
  CHECK(output.size() == TimedProgram::kKeptOutput);
  CHECK(output.ends_with("y\nlast\n"));
}

TEST_CASE("discarded output is nowhere") {
  std::string output = "before";
  CHECK(timed({.argv = {"echo", "word"}, .discard_output = true}, &output).output_bytes == 0);
  CHECK(output.empty());
}

TEST_CASE("the padding of a timed program is in its environment, and no padding is no variable") {
  Result<TimedProgram> program =
      TimedProgram::prepare({.argv = {"sh", "-c", "echo ${KILTER_ENV_PADDING-none} | wc -c"}});
  REQUIRE(program);
  REQUIRE(program->run(100));
  CHECK(program->output() == "101\n");
  REQUIRE(program->run(0));
  CHECK(program->output() == "5\n");
}

TEST_CASE("a timed program that hangs is killed with its children at its time limit") {
  const TimedRun run = timed({.argv = {"sh", "-c", "sleep 60 & wait"}, .time_limit = 0.1});
  CHECK(run.timed_out);
  CHECK(run.wall < 10);
  CHECK(run.how().starts_with("timed out"));
}

TEST_CASE("a timed program that is not there, or no program, is an error") {
  const Result<TimedProgram> absent = TimedProgram::prepare({.argv = {"no-such-program-here"}});
  REQUIRE_FALSE(absent);
  CHECK(absent.error().message == "starting 'no-such-program-here': no such program in PATH");
  Result<TimedProgram> text = TimedProgram::prepare({.argv = {"/proc/version"}});
  REQUIRE(text);
  const Result<TimedRun> run = text->run(0);
  REQUIRE_FALSE(run);
  CHECK(run.error().message == "starting '/proc/version': Permission denied");
}

TEST_CASE("a timed program runs on the CPUs it is given") {
  std::string output;
  timed({.argv = {"sh", "-c", "grep Cpus_allowed_list /proc/self/status"}, .cpus = {0}}, &output);
  CHECK(output == "Cpus_allowed_list:\t0\n");
}

TEST_CASE("a software event counts the program's work with its children, and not ours") {
  const Result<PerfEvent> event = PerfEvent::find("page-faults");
  if (!event) return;  // a kernel or a container without perf events
  Result<TimedProgram> program =
      TimedProgram::prepare({.argv = {"sh", "-c", "true; exit 0"}, .event = *event});
  REQUIRE(program);
  for (int i = 0; i < 5; ++i) {
    const Result<TimedRun> run = program->run(0);
    REQUIRE(run);
    CHECK(run->count > 20);
    CHECK(run->count < 5000);
  }
}

TEST_CASE("a perf event that nobody knows is told by its neighbour") {
  const Result<PerfEvent> event = PerfEvent::find("page-fault");
  REQUIRE_FALSE(event);
  CHECK(event.error().hint == "did you mean 'page-faults'?");
  CHECK(PerfEvent::find("cycles:z").error().message.find("modifier") != std::string::npos);
  CHECK(PerfEvent::find("").error().code == ErrorCode::usage);
}
