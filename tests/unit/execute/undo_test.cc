#include "execute/undo.h"

#include "base/text.h"
#include "execute/set_up.h"
#include "model/json.h"
#include "unit/execute/run_fixture.h"

#include <csignal>
#include <filesystem>
#include <unistd.h>

using namespace kilter;
using execute::Undo;

namespace {

// A fixture tree stands for /proc and /sys.
struct UndoTree {
  UndoTree() {
    put("/proc/sys/kernel/random/boot_id", "boot-1\n");
    put("/sys/thp", "always [madvise] never\n");
  }
  void put(const std::string& path, const std::string& text) const {
    std::filesystem::create_directories(root.at(path).parent_path());
    REQUIRE(os::append_file(root.at(path), ""));
    std::filesystem::resize_file(root.at(path), 0);
    REQUIRE(os::write_into(root.at(path), text));
  }
  [[nodiscard]] std::string get(const std::string& path) const { return root.read(path).value_or("?"); }
  [[nodiscard]] std::vector<std::string> repair() const {
    return execute::repair(home, os::system_runner(), root);
  }

  os::TempDir temp = *os::TempDir::create("/tmp", "kilter-undo");
  os::Root root = os::Root(temp.path());
  os::Path home = temp.path() / "home";
};

model::Step thp(const std::string& value) {
  return {.name = "thp", .path = "/sys/thp", .value = value};
}

}  // namespace

TEST_CASE_FIXTURE(UndoTree, "what a step writes is written back, the chosen one of several values") {
  Result<execute::Journal> journal = execute::Journal::open(home, "a", root);
  REQUIRE(journal);
  const Result<std::vector<execute::StepResult>> steps =
      execute::set_up({thp("always")}, *journal, os::system_runner(), root);
  REQUIRE(steps);
  CHECK(steps->at(0).before == "madvise");
  CHECK(steps->at(0).after == "always");
  CHECK(get("/sys/thp").starts_with("always"));
  CHECK(journal->undo_all(os::system_runner(), root).empty());
  CHECK(get("/sys/thp").starts_with("madvise"));
  CHECK(os::list_directory(home / "journal").empty());
}

TEST_CASE_FIXTURE(UndoTree, "steps that cannot be done are skipped and say why") {
  Result<execute::Journal> journal = execute::Journal::open(home, "a", root);
  REQUIRE(journal);
  const Result<std::vector<execute::StepResult>> steps = execute::set_up(
      {{.name = "governor", .path = "/sys/cpu*/governor", .value = "performance"},
       {.name = "module", .kind = model::Step::Kind::run, .argv = {"no-such-modprobe", "sctp"}},
       {.name = "fails", .kind = model::Step::Kind::run, .argv = {"sh", "-c", "echo no right >&2; exit 1"}},
       {.name = "caches", .kind = model::Step::Kind::drop_caches}},
      *journal, os::system_runner(), root);
  REQUIRE(steps);
  CHECK(steps->at(0).skipped == "this machine has no '/sys/cpu*/governor'");
  CHECK(steps->at(1).skipped == "starting 'no-such-modprobe': no such program in PATH");
  CHECK(steps->at(2).skipped.ends_with("exited with 1: no right"));
  CHECK(steps->at(3).skipped == "no right to write '/proc/sys/vm/drop_caches'");
}

TEST_CASE_FIXTURE(UndoTree, "a required step that cannot be done is an error") {
  Result<execute::Journal> journal = execute::Journal::open(home, "a", root);
  REQUIRE(journal);
  const Result<std::vector<execute::StepResult>> steps =
      execute::set_up({thp("never"), {.name = "x", .path = "/sys/x", .value = "1", .required = true}},
                      *journal, os::system_runner(), root);
  REQUIRE_FALSE(steps);
  CHECK(steps.error().message == "set-up step 'x': this machine has no '/sys/x'");
  CHECK(journal->undo_all(os::system_runner(), root).empty());
  CHECK(get("/sys/thp").starts_with("madvise"));
}

TEST_CASE_FIXTURE(UndoTree, "a pattern writes all files that match, each with its own old value") {
  put("/sys/cpu0/governor", "powersave\n");
  put("/sys/cpu1/governor", "schedutil\n");
  Result<execute::Journal> journal = execute::Journal::open(home, "a", root);
  REQUIRE(execute::set_up({{.name = "governor", .path = "/sys/cpu*/governor", .value = "performance"}},
                          *journal, os::system_runner(), root));
  CHECK(get("/sys/cpu1/governor") == "performance");
  CHECK(journal->undo_all(os::system_runner(), root).empty());
  CHECK(get("/sys/cpu0/governor").starts_with("powersave"));
  CHECK(get("/sys/cpu1/governor").starts_with("schedutil"));
}

TEST_CASE_FIXTURE(UndoTree, "commands are undone last first, and one failure does not stop the rest") {
  const std::string log = (temp.path() / "log").string();
  const auto say = [&](const std::string& word) {
    return std::vector<std::string>{"sh", "-c", "echo " + word + " >> " + log};
  };
  Result<execute::Journal> journal = execute::Journal::open(home, "a", root);
  REQUIRE(execute::set_up(
      {{.name = "one", .kind = model::Step::Kind::run, .argv = say("do1"), .undo = say("undo1")},
       {.name = "two", .kind = model::Step::Kind::run, .argv = say("do2"), .undo = {"false"}},
       {.name = "three", .kind = model::Step::Kind::run, .argv = say("do3"), .undo = say("undo3")}},
      *journal, os::system_runner(), root));
  const std::vector<std::string> problems = journal->undo_all(os::system_runner(), root);
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].starts_with("undoing two: running 'false': exited with 1"));
  CHECK(os::read_file(log).value() == "do1\ndo2\ndo3\nundo3\nundo1\n");
}

TEST_CASE_FIXTURE(UndoTree, "repair leaves the journal of a living run alone") {
  Result<execute::Journal> journal = execute::Journal::open(home, "a", root);
  REQUIRE(execute::set_up({thp("always")}, *journal, os::system_runner(), root));
  CHECK(repair().empty());
  CHECK(get("/sys/thp").starts_with("always"));
  CHECK(execute::other_run_lives(home, "b"));
  CHECK_FALSE(execute::other_run_lives(home, "a"));
}

TEST_CASE_FIXTURE(UndoTree, "repair puts back what a dead run left, once, and tells of it") {
  {
    Result<execute::Journal> journal = execute::Journal::open(home, "a", root);
    REQUIRE(execute::set_up({thp("always")}, *journal, os::system_runner(), root));
  }
  CHECK(repair() ==
        std::vector<std::string>{"put back after a run that was killed: thp: '/sys/thp' is 'madvise' again"});
  CHECK(get("/sys/thp").starts_with("madvise"));
  CHECK(repair().empty());
}

TEST_CASE_FIXTURE(UndoTree, "after a reboot the values of /sys are as the boot left them") {
  {
    Result<execute::Journal> journal = execute::Journal::open(home, "a", root);
    REQUIRE(execute::set_up({thp("always")}, *journal, os::system_runner(), root));
  }
  put("/proc/sys/kernel/random/boot_id", "boot-2\n");
  put("/sys/thp", "[always] madvise never\n");
  CHECK(repair().empty());
  CHECK(get("/sys/thp") == "[always] madvise never\n");
  CHECK(os::list_directory(home / "journal").empty());
}

TEST_CASE_FIXTURE(UndoTree, "a journal full of garbage is no obstacle") {
  REQUIRE(os::make_directories(home / "journal"));
  REQUIRE(os::append_file(home / "journal" / "a.journal",
                          "{\"kind\": 3}\n[]\n\xff\n{\"kind\":\"dance\"}\n{\"ki"));
  CHECK(repair().empty());
  CHECK(os::list_directory(home / "journal").empty());
}

namespace {

// A run by the agent, in the middle of its workload: one value changed, a daemon in the background.
struct AgentRun {
  AgentRun() {
    REQUIRE(os::append_file(value, "before"));
    model::Plan plan;
    plan.testcase = "killed";
    plan.setup = {{.name = "value", .path = value.string(), .value = "during"}};
    plan.workload.program = "killed";
    plan.workload.body = {{.argv = {RunFixture::program("escape"), pid_file.string()}},
                          {.argv = {"sleep", "600"}}};
    REQUIRE(os::write_file(temp.path() / "plan.json", model::dump_json(nlohmann::json(plan))));
    agent = *os::system_runner().start(
        {.argv = {BIN_DIR "/kilter-agent", "run", (temp.path() / "plan.json").string(), run_dir.string()},
         .env = {{"KILTER_HOME", home.string()}}});
    for (int i = 0; i < 2000 && !in_the_middle(); ++i) ::usleep(5000);
    REQUIRE(in_the_middle());
    REQUIRE(os::read_file(value).value() == "during");
  }

  [[nodiscard]] bool in_the_middle() const {
    return os::read_file(run_dir / "killed").value_or("").contains(" sleep 600\n");
  }
  [[nodiscard]] bool daemon_lives() const {
    const Result<std::string> stat = os::read_file("/proc/" + os::read_file(pid_file).value() + "/stat");
    return stat && !stat->contains(") Z ");
  }
  [[nodiscard]] std::vector<os::Path> cgroups() const {
    std::vector<os::Path> found;
    for (const char* mount : {"/sys/fs/cgroup", "/sys/fs/cgroup/unified", "/sys/fs/cgroup/freezer"})
      for (const os::Path& path : os::list_directory(mount))
        if (path.filename().string().starts_with("kilter-" + std::to_string(agent->pid()) + "-"))
          found.push_back(path);
    return found;
  }

  os::TempDir temp = *os::TempDir::create("/tmp", "kilter-killed");
  os::Path value = temp.path() / "value";
  os::Path pid_file = temp.path() / "pid";
  os::Path home = temp.path() / "home";
  os::Path run_dir = temp.path() / "run";
  std::unique_ptr<os::Process> agent;
};

}  // namespace

TEST_CASE_FIXTURE(AgentRun, "after kill -9 the next start puts everything back") {
  ::kill(agent->pid(), SIGKILL);
  agent->wait();
  CHECK(os::read_file(value).value() == "during");
  CHECK(daemon_lives());
  // A child that the agent was just starting holds the journal for a moment longer.
  std::vector<std::string> notes;
  for (int i = 0; i < 500 && notes.empty(); ++i) {
    notes = execute::repair(home, os::system_runner(), os::Root());
    ::usleep(10'000);
  }
  CHECK(notes == std::vector<std::string>{"put back after a run that was killed: value: '" + value.string() +
                                          "' is 'before' again"});
  CHECK(os::read_file(value).value() == "before");
  CHECK_FALSE(daemon_lives());
  CHECK(cgroups().empty());
  CHECK_FALSE(std::filesystem::exists(run_dir / "scratch"));
  CHECK(os::list_directory(home / "journal").empty());
}

TEST_CASE_FIXTURE(AgentRun, "Ctrl-C ends a run at once, puts everything back and leaves no result") {
  ::kill(agent->pid(), SIGINT);
  const os::ProcessResult result = agent->wait();
  CHECK(result.exit_code == 130);
  CHECK(result.err == "kilter-agent: running killed was interrupted\n");
  CHECK(os::read_file(value).value() == "before");
  CHECK_FALSE(daemon_lives());
  CHECK(cgroups().empty());
  CHECK_FALSE(std::filesystem::exists(run_dir / "outcome.json"));
  CHECK(os::list_directory(home / "journal").empty());
}
