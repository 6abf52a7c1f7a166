#include "base/text.h"
#include "execute/oops.h"
#include "execute/ready_port.h"
#include "execute/reproduce.h"
#include "execute/sysfs.h"
#include "execute/time_file.h"
#include "execute/undo.h"
#include "unit/execute/run_fixture.h"

#include <filesystem>

using namespace kilter;

TEST_CASE("the time file is GNU time's text") {
  const std::string text = execute::time_text({.command = "stress-ng --sem 2",
                                               .usage = {.user = 16611.657,
                                                         .system = 1932.173,
                                                         .max_rss_kb = 2048,
                                                         .minor_faults = 12,
                                                         .major_faults = 1,
                                                         .voluntary_switches = 3,
                                                         .involuntary_switches = 4,
                                                         .fs_inputs = 8,
                                                         .fs_outputs = 16},
                                               .elapsed = 3728.08});
  CHECK(text.starts_with("\tCommand being timed: \"stress-ng --sem 2\"\n\tUser time (seconds): 16611.66\n"));
  CHECK(text.contains("\tPercent of CPU this job got: 497%\n"));
  CHECK(text.contains("\tElapsed (wall clock) time (h:mm:ss or m:ss): 1:02:08.08\n"));
  CHECK(text.contains("\tMaximum resident set size (kbytes): 2048\n"));
  CHECK(text.contains("\tMajor (requiring I/O) page faults: 1\n"));
  CHECK(text.contains("\tMinor (reclaiming a frame) page faults: 12\n"));
  CHECK(text.contains("\tVoluntary context switches: 3\n\tInvoluntary context switches: 4\n"));
  CHECK(text.contains("\tFile system inputs: 8\n\tFile system outputs: 16\n"));
  CHECK(text.ends_with("\tPage size (bytes): 4096\n\tExit status: 0\n"));
  CHECK(execute::time_text({.elapsed = 75.126}).contains("m:ss): 1:15.13\n"));
  CHECK(execute::time_text({.elapsed = 0}).contains("job got: ?%\n"));
}

TEST_CASE("the keys are those of GNU time itself") {
  const Result<os::ProcessResult> gnu = os::system_runner().run({.argv = {"/usr/bin/time", "-v", "true"}});
  if (!gnu || !gnu->ok()) {
    MESSAGE("skipped: GNU time is not installed");
    return;
  }
  const auto keys = [](const std::string& text) {
    std::vector<std::string> found;
    for (const std::string_view line : lines(text)) found.emplace_back(line.substr(0, line.rfind(": ")));
    return found;
  };
  CHECK(keys(gnu->err) == keys(execute::time_text({.command = "true", .elapsed = 1})));
}

TEST_CASE_FIXTURE(RunFixture, "CPU time and page faults of all processes of the workload are counted") {
  add({"sh", "-c", program("burn") + " 0.3 & " + program("fault") + " 3000; wait"});
  run();
  double user = 0;
  double faults = 0;
  const std::string text = file("mytest.time");
  for (const std::string_view line : lines(text)) {
    const std::string_view value = line.substr(line.rfind(' ') + 1);
    if (line.contains("User time") || line.contains("System time")) user += parse_double(value).value();
    if (line.contains("Minor")) faults = parse_double(value).value();
  }
  CHECK(user >= 0.29);
  CHECK(faults >= 3000);
  CHECK(file("time") == text);
}

TEST_CASE_FIXTURE(RunFixture, "a timed command is logged as kbuild's parser reads it") {
  model::PlannedCommand& command = add({"echo", "not kept"});
  command.timed = true;
  command.quiet = true;
  request.plan.workload.report_iterations = true;
  request.plan.workload.min_seconds = 0.001;
  run();
  const std::string log = file("mytest");
  const std::vector<std::string_view> line = lines(log);
  REQUIRE(line.size() == 9);
  CHECK(line[0].ends_with(" echo 'not kept'"));
  CHECK(line[1].starts_with("start time: 1"));
  CHECK(line[2].empty());
  CHECK(line[3].starts_with("real: 0."));
  CHECK(line[4].starts_with("user: 0."));
  CHECK(line[5].starts_with("sys: 0."));
  CHECK(line[6].starts_with("end time: 1"));
  CHECK(line[7] == "iterations: 1");
  CHECK(line[8] == "runtime: 0");
}

TEST_CASE_FIXTURE(RunFixture, "commands without a directory run in one that is removed") {
  add({"sh", "-c", "pwd; touch litter"});
  run();
  CHECK(file("mytest").ends_with("\n" + (request.run_dir / "scratch").string() + "\n"));
  CHECK_FALSE(std::filesystem::exists(request.run_dir / "scratch"));
}

TEST_CASE_FIXTURE(RunFixture, "plan.json is the plan and says what became of its steps") {
  request.plan.setup = {{.name = "governor", .path = "/sys/no/such", .value = "x"}};
  request.plan.parameters = {{"nr_threads", "50%"}};
  add({"true"});
  const execute::RunResult result = run();
  CHECK(notes(result) == "set-up 'governor' skipped: this machine has no '/sys/no/such'\n");
  CHECK(file("plan.json").contains("\"skipped\": \"this machine has no '/sys/no/such'\""));
  CHECK(file("plan.json").contains("\"nr_threads\": \"50%\""));
}

TEST_CASE_FIXTURE(RunFixture, "progress is told from set-up to tear-down") {
  std::vector<execute::Progress> told;
  request.progress = [&](const execute::Progress& progress) { told.push_back(progress); };
  request.plan.workload.iterations = 2;
  request.plan.workload.expected_seconds = 4;
  add({"sleep", "0.2"});
  run();
  REQUIRE(told.size() >= 3);
  CHECK(told.front().phase == execute::Progress::Phase::set_up);
  CHECK(told[1].phase == execute::Progress::Phase::running);
  CHECK(told[1].iteration == 1);
  CHECK(told[1].iterations == 2);
  CHECK(told[1].expected == 4);
  CHECK(told.back().phase == execute::Progress::Phase::tear_down);
}

TEST_CASE("reproduce.sh does without kilter what the run did, and puts back what it set") {
  const os::TempDir temp = *os::TempDir::create("/tmp", "kilter-reproduce");
  const std::string value = (temp.path() / "thp it's").string();
  const std::string log = (temp.path() / "log").string();
  REQUIRE(os::append_file(value, "always [madvise] never"));
  model::Plan plan;
  plan.testcase = "two\nlines";
  plan.setup = {{.name = "thp", .path = value, .value = "never"},
                {.name = "skipped", .path = "/none", .value = "1"}};
  plan.workload.iterations = 2;
  plan.workload.body = {{.argv = {"sh", "-c", "cat \"$1\" >> \"$2\"; cat >> \"$2\"", "it's", value, log},
                         .stdin_text = "$HOME 'in'\n",
                         .cpus = {0},
                         .disable_aslr = true}};
  const std::string script =
      execute::reproduce_script(plan, {{.name = "thp"}, {.name = "skipped", .skipped = "no\nroot"}});
  CHECK(script.contains("# test case: two lines\n"));
  CHECK(script.contains("# not done: skipped (no root)\n"));
  CHECK(script.contains("taskset -c 0 setarch -R sh -c"));
  const Result<os::ProcessResult> result = os::system_runner().run({.argv = {"sh"}, .stdin_text = script});
  REQUIRE(result);
  CHECK(result->err == "");
  CHECK(result->exit_code == 0);
  CHECK(os::read_file(log).value() == "never\n$HOME 'in'\nnever\n$HOME 'in'\n");
  CHECK(os::read_file(value).value() == "madvise\n");
}

TEST_CASE("reproduce.sh takes any copy of the workload engine") {
  model::Plan plan;
  plan.workload.body = {{.argv = {"/opt/kilter/bin/kilter-bench", "eventfd1", "-t", "2"}, .copies = 2}};
  const std::string script = execute::reproduce_script(plan, {});
  CHECK(script.contains("KILTER_BENCH=${KILTER_BENCH:-/opt/kilter/bin/kilter-bench}\n"));
  CHECK(script.contains("\"$KILTER_BENCH\" eventfd1 -t 2 & pids=\"$pids $!\"\n"));
  CHECK(script.ends_with("wait $pids\n"));
}

TEST_CASE("reproduce.sh takes another build of the programs under test") {
  const os::TempDir temp = *os::TempDir::create("/tmp", "kilter-reproduce");
  const os::Path other = temp.path() / "other's";
  REQUIRE(os::make_directories(other));
  REQUIRE(os::write_file(other / "prog", "#!/bin/sh\necho \"$1 $LIB\"\n"));
  REQUIRE(os::make_executable(other / "prog"));
  model::Plan plan;
  plan.build = "/gone/build/toy/4f2a";
  plan.workload.body = {
      {.argv = {plan.build + "/prog", "--data=" + plan.build + "/data dir"}, .env = {{"LIB", plan.build}}}};
  const std::string script = execute::reproduce_script(plan, {});
  CHECK(script.contains("KILTER_BUILD=${KILTER_BUILD:-/gone/build/toy/4f2a}\n"));
  const Result<os::ProcessResult> result = os::system_runner().run(
      {.argv = {"sh"}, .env = {{"KILTER_BUILD", other.string()}}, .stdin_text = script});
  REQUIRE(result);
  CHECK(result->out == "--data=" + other.string() + "/data dir " + other.string() + "\n");
}

TEST_CASE("sysfs values in the form they can be written") {
  CHECK(execute::settable_value("always [madvise] never\n") == "madvise");
  CHECK(execute::settable_value("1\n") == "1");
  CHECK(execute::settable_value("4096\t131072\t6291456\n") == "4096\t131072\t6291456");
  CHECK(execute::settable_value("[x]\n") == "[x]");
}

TEST_CASE("ports in the form tcp:PORT") {
  CHECK(execute::parse_ready_port("tcp:12865")->number == 12865);
  CHECK(execute::parse_ready_port("udp:5001")->udp);
  CHECK_FALSE(execute::parse_ready_port("tcp:0"));
  CHECK_FALSE(execute::parse_ready_port("sctp:1"));
  CHECK_FALSE(execute::parse_ready_port("12865"));
}

TEST_CASE("a listening port is read from /proc/net") {
  const os::TempDir temp = *os::TempDir::create("/tmp", "kilter-net");
  std::filesystem::create_directories(temp.path() / "proc/net");
  REQUIRE(os::append_file(temp.path() / "proc/net/tcp",
                          "  sl  local_address rem_address   st tx_queue\n"
                          "   0: 0100007F:3241 00000000:0000 0A 00000000:00000000 00:00000000\n"
                          "   1: 0100007F:3242 0100007F:1000 01 00000000:00000000 00:00000000\n"
                          "   2: 0200A8C0:3243 00000000:0000 0A 00000000:00000000 00:00000000\n"));
  REQUIRE(os::append_file(temp.path() / "proc/net/udp6",
                          "  sl  local_address                         remote_address\n"
                          "   0: 00000000000000000000000000000000:1389 "
                          "00000000000000000000000000000000:0000 07 00000000:00000000\n"));
  const os::Root root(temp.path());
  CHECK(execute::is_served(root, {.number = 0x3241}));
  CHECK_FALSE(execute::is_served(root, {.number = 0x3242}));
  CHECK_FALSE(execute::is_served(root, {.number = 0x3243}));
  CHECK(execute::is_served(root, {.udp = true, .number = 5001}));
}

TEST_CASE("an oops of the kernel is told from faults of programs") {
  const std::vector<std::string> harmless = {
      "traps: prog[12] general protection fault ip:55d0 sp:7ffd error:0", "eth0: link up", "DEBUG: nothing"};
  CHECK_FALSE(execute::find_oops(harmless));
  const std::vector<std::string> bad = {
      "eth0: link up", "BUG: kernel NULL pointer dereference, address: 0\033[2J", "Oops: 0000 [#1] SMP"};
  CHECK(execute::find_oops(bad) == "BUG: kernel NULL pointer dereference, address: 0[2J");
  CHECK(execute::find_oops(std::vector<std::string>{"watchdog: BUG: soft lockup - CPU#1 stuck for 22s!"}));
  CHECK(execute::find_oops(std::vector<std::string>{"Kernel panic - not syncing: Fatal exception"}));
}

TEST_CASE_FIXTURE(RunFixture, "a second run with the same home is noted") {
  const Result<execute::Journal> other = execute::Journal::open(request.home, "other", os::Root());
  add({"true"});
  CHECK(notes(run()) == "another run is under way: both disturb each other\n");
}
