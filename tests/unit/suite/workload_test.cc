#include "suite/workload.h"

#include "base/text.h"
#include "os/files.h"
#include "suite/catalogue.h"
#include "suite/suite_reader.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>

using namespace kilter;
using namespace kilter::suite;
using model::Node;

namespace {

const HostFacts kFacts = {.nr_cpu = 8,
                          .memory_kb = 16 << 20,
                          .kilter_bench = "/opt/kilter/kilter-bench",
                          .install_root = "/home/k/sources",
                          .names = {{"bench", "/build/bench"}}};

model::UnitJob job_of(std::vector<std::pair<std::string, std::string>> mapped) {
  model::UnitJob job;
  job.mapped = std::move(mapped);
  return job;
}

std::string show(const char* kind, const model::PlannedCommand& command) {
  std::string text = std::string(kind) + ": " + shell_join(command.argv) + "\n";
  for (const auto& [name, value] : command.env) text += "  env " + name + "=" + value + "\n";
  if (!command.cwd.empty()) text += "  cwd " + command.cwd + "\n";
  if (command.copies != 1) text += "  copies " + std::to_string(command.copies) + "\n";
  if (command.timed) text += "  timed\n";
  if (command.quiet) text += "  quiet\n";
  if (command.disable_aslr) text += "  disable_aslr\n";
  return text;
}

std::string show(const model::Workload& workload) {
  std::string text = "engine: " + workload.engine + "\n";
  for (const model::PlannedCommand& command : workload.daemons) text += show("daemon", command);
  if (!workload.ready_port.empty()) text += "ready_port: " + workload.ready_port + "\n";
  for (const model::PlannedCommand& command : workload.body) text += show("run", command);
  if (workload.iterations != 1) text += "iterations: " + std::to_string(workload.iterations) + "\n";
  if (workload.min_seconds > 0) text += "min_seconds: " + number_word(workload.min_seconds) + "\n";
  if (workload.report_iterations) text += "report_iterations\n";
  text += "expected: " + number_word(workload.expected_seconds) + " limit: " + number_word(workload.timeout) +
          "\n";
  return text + "log: " + workload.program + " parser: " + workload.parser + "\n";
}

std::string show_engines(const Suite& suite) {
  std::string text;
  for (const Engine& engine : suite.engines) {
    model::UnitJob job = job_of({{"engine", engine.name}});
    if (suite.name == "mytest") job.mapped.emplace_back("cmd", "./bench 'a b' --quick");
    const Result<model::Workload> workload = plan_workload(suite, job, kFacts);
    text += workload ? show(*workload) : workload.error().message + "\n";
  }
  return text;
}

Result<model::Workload> plan(const std::string& suite,
                             std::vector<std::pair<std::string, std::string>> mapped) {
  const Result<Catalogue> catalogue = Catalogue::load();
  REQUIRE(catalogue);
  const Result<const Suite*> found = catalogue->get(suite);
  REQUIRE(found);
  return plan_workload(**found, job_of(std::move(mapped)), kFacts);
}

std::string first_command(const std::string& suite, std::vector<std::pair<std::string, std::string>> mapped) {
  const Result<model::Workload> workload = plan(suite, std::move(mapped));
  if (!workload) return workload.error().message;
  return shell_join(workload->body.front().argv);
}

}  // namespace

TEST_CASE("every suite plans its default command, with each of its engines") {
  const Result<Catalogue> catalogue = Catalogue::load();
  REQUIRE(catalogue);
  CHECK(catalogue->names().size() >= 18);
  for (const std::string& name : catalogue->names()) {
    CAPTURE(name);
    const Result<const Suite*> suite = catalogue->get(name);
    REQUIRE_MESSAGE(suite, suite.error().message);
    CHECK_FALSE((*suite)->summary.empty());
    const std::filesystem::path file =
        std::filesystem::path(TESTS_DIR) / "golden/suite/plans" / (name + ".txt");
    if (std::getenv("KILTER_UPDATE_GOLDEN") != nullptr) REQUIRE(os::write_file(file, show_engines(**suite)));
    CHECK(show_engines(**suite) == os::read_file(file).value_or(""));
  }
}

TEST_CASE("parameters of a job choose the words of the command") {
  CHECK(first_command("hackbench",
                      {{"nr_threads", "4"}, {"mode", "threads"}, {"ipc", "pipe"}, {"iterations", "8"}}) ==
        "hackbench -g 4 -f 20 --threads --pipe -l 60000 -s 100");
  CHECK(first_command("perf-bench-sched-pipe", {{"loops", "10000000ops"}, {"mode", "threads"}}) ==
        "/opt/kilter/kilter-bench sched-pipe --loops 10000000 --threads");
  CHECK(first_command("will-it-scale",
                      {{"test", "futex4"}, {"mode", "process"}, {"nr_task", "50%"}, {"runtime", "20"}}) ==
        "/opt/kilter/kilter-bench will-it-scale futex4 --mode process --tasks 4 --seconds 15 --warmup 5");
  CHECK(first_command("stress-ng",
                      {{"test", "cyclic"}, {"method", "poll"}, {"testtime", "60s"}, {"nr_threads", "10%"}})
            .contains("is 0 on this machine"));
  CHECK(first_command("stress-ng",
                      {{"test", "sem"}, {"sched", "rr"}, {"testtime", "1m"}, {"nr_threads", "100%"}}) ==
        "stress-ng --timeout 60 --times --verify --metrics --no-rand-seed --sched rr --sem 8");
  CHECK(first_command("netperf", {{"engine", "upstream"},
                                  {"ip", "ipv6"},
                                  {"test", "TCP_STREAM"},
                                  {"send_size", "10K"},
                                  {"runtime", "300"}}) ==
        "/home/k/sources/netperf/src/netperf -6 -H ::1 -p 12865 -t TCP_STREAM -c -C -l 300 -- -m 10240");
  CHECK(first_command("netperf", {{"test", "TCP_RR"}, {"send_size", "10K"}, {"runtime", "5"}}) ==
        first_command("netperf", {{"test", "TCP_RR"}, {"runtime", "5"}}));
  CHECK(first_command("netperf", {{"host", "box"}, {"runtime", "5"}}).ends_with("--host box"));
  CHECK(first_command("mytest", {{"cmd", "./bench --name 'two words'"}}) == "./bench --name 'two words'");
}

TEST_CASE("loops are a number of passes when the job says so, else a time") {
  const Result<model::Workload> counted = plan("hackbench", {{"iterations", "8"}});
  REQUIRE(counted);
  CHECK(counted->iterations == 8);
  CHECK(counted->min_seconds == 0);
  const Result<model::Workload> timed = plan("hackbench", {{"runtime", "60"}});
  REQUIRE(timed);
  CHECK(timed->iterations == 1);
  CHECK(timed->min_seconds == 60);
}

TEST_CASE("the engine is kilter-bench where it has the test, unless the job says otherwise") {
  CHECK(plan("unixbench", {{"test", "fsbuffer"}})->engine == "builtin");
  CHECK(plan("unixbench", {{"test", "pipe"}})->engine == "upstream");
  CHECK(plan("unixbench", {{"test", "fsbuffer"}, {"engine", "upstream"}})->engine == "upstream");
  CHECK(first_command("unixbench", {{"test", "pipe"}, {"engine", "builtin"}}) ==
        "planning unixbench: the engine 'builtin' cannot do this test");
  CHECK(first_command("netperf", {{"engine", "biultin"}})
            .contains("it has no engine 'biultin', did you mean 'builtin'?"));
}

TEST_CASE("a value outside the choices, of another type, or missing is refused by name") {
  CHECK(first_command("will-it-scale", {{"mode", "processs"}}) ==
        "planning will-it-scale: mode 'processs' is none of its choices, did you mean 'process'?");
  CHECK(first_command("will-it-scale", {{"test", "evntfd1"}}) ==
        "planning will-it-scale: test 'evntfd1' is none of its choices, did you mean 'eventfd1'?");
  CHECK(first_command("will-it-scale", {{"test", "eventfd2"}}).contains("is none of its choices"));
  CHECK(first_command("netperf", {{"runtime", "soon"}}) ==
        "planning netperf: runtime 'soon' is not a time like 300s or 5m");
  CHECK(
      first_command("hackbench", {{"nr_threads", "-4"}}).contains("is not a number, or a share of the CPUs"));
  CHECK(first_command("hackbench", {{"iterations", "-1"}}) ==
        "planning hackbench: iterations '-1' is not a whole number from 1");
  CHECK(first_command("hackbench", {{"iterations", "0"}}).contains("iterations '0' is no number from 1"));
  CHECK(first_command("mytest", {}) == "planning mytest: parameter 'cmd' is missing");
  CHECK(first_command("mytest", {{"cmd", "./bench 'oops"}}).contains("a quote is not closed"));
}

TEST_CASE("values not mapped by the job reader are found in its body, with their place") {
  model::UnitJob job;
  Node mode = Node::scalar("processs");
  mode.mark = {"jobs/w.yaml", 7, 11};
  job.body = Node::map(
      {{"nr_task", Node::scalar("25%")},
       {"if role client",
        Node::map({{"will-it-scale", Node::map({{"mode", mode}, {"test", Node::scalar("brk1")}})}})}});
  const Result<Catalogue> catalogue = Catalogue::load();
  const Suite* suite = catalogue->find("will-it-scale");
  REQUIRE(suite != nullptr);
  const Result<model::Workload> refused = plan_workload(*suite, job, kFacts);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message.starts_with("jobs/w.yaml:7:11: planning will-it-scale: mode 'processs'"));

  job.body.find("if role client")->find("will-it-scale")->set("mode", Node::scalar("thread"));
  const Result<model::Workload> workload = plan_workload(*suite, job, kFacts);
  REQUIRE(workload);
  CHECK(shell_join(workload->body.front().argv).contains("will-it-scale brk1 --mode thread --tasks 2 "));
}

TEST_CASE("what stands below the program wins over the same name further out") {
  model::UnitJob job;
  job.body = Node::map(
      {{"nr_task", Node::scalar("7")}, {"will-it-scale", Node::map({{"nr_task", Node::scalar("3")}})}});
  job.parameters = {{"nr_task", "7"}, {"nr_task", "3"}};
  job.mapped = job.parameters;
  const Result<Catalogue> catalogue = Catalogue::load();
  const Result<model::Workload> workload = plan_workload(*catalogue->find("will-it-scale"), job, kFacts);
  REQUIRE(workload);
  CHECK(shell_join(workload->body.front().argv).contains("--tasks 3 "));
}

TEST_CASE("an option that the suite does not have is refused with the nearest one it has") {
  model::UnitJob job;
  Node value = Node::scalar("3");
  value.mark = {"h.yaml", 4, 12};
  job.body = Node::map({{"hackbench", Node::map({{"datasise", value}})}});
  const Result<Catalogue> catalogue = Catalogue::load();
  const Result<model::Workload> workload = plan_workload(*catalogue->find("hackbench"), job, kFacts);
  REQUIRE_FALSE(workload);
  CHECK(workload.error().message ==
        "h.yaml:4:12: planning hackbench: it has no parameter 'datasise', did you mean 'datasize'?");
}

TEST_CASE("a scalar given to the program is its positional parameter") {
  model::UnitJob job;
  job.body = Node::map({{"mytest", Node::scalar("sleep 1")}});
  const Result<Catalogue> catalogue = Catalogue::load();
  const Result<model::Workload> workload = plan_workload(*catalogue->find("mytest"), job, kFacts);
  REQUIRE(workload);
  CHECK(workload->body.front().argv == std::vector<std::string>{"sleep", "1"});
  CHECK(workload->parser == "auto");
}

TEST_CASE("a user's suite overrides a built-in one and may use the project's artefacts") {
  const std::string text =
      "summary: ours\nrun:\n  - [\"{bench}\", --benchmark_format=json]\nparser: google-benchmark\n";
  const Result<Catalogue> catalogue = Catalogue::load({{"/home/k/suites/hackbench.yaml", text}});
  REQUIRE(catalogue);
  const Suite* suite = catalogue->find("hackbench");
  REQUIRE(suite != nullptr);
  CHECK(suite->summary == "ours");
  const Result<model::Workload> workload = plan_workload(*suite, job_of({}), kFacts);
  REQUIRE(workload);
  CHECK(workload->body.front().argv == std::vector<std::string>{"/build/bench", "--benchmark_format=json"});
}

TEST_CASE("a suite in a file of another name is found by its own") {
  const Result<Catalogue> catalogue =
      Catalogue::load({{"/p/project.yaml", "\n\n  suite: tokenizer\n  run: [[x]]\n  parser: auto\n"},
                       {"/p/other.yaml", "{suite: flow, run: [[x]], parser: auto}"},
                       {"/p/broken.yaml", "suite: broken\nrun: 3\n"}});
  REQUIRE(catalogue);
  CHECK(catalogue->find("tokenizer") != nullptr);
  CHECK(catalogue->find("flow") != nullptr);
  CHECK(catalogue->find("project") == nullptr);
  const Result<const Suite*> broken = catalogue->get("broken");
  REQUIRE_FALSE(broken);
  CHECK(broken.error().message.contains("/p/broken.yaml:2:6"));
}
