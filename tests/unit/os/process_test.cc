#include "os/process.h"

#include "base/text.h"
#include "os/clock.h"

#include <doctest/doctest.h>

#include <csignal>
#include <unistd.h>

using namespace kilter;
using namespace kilter::os;

TEST_CASE("a child's output, exit code and usage come back") {
  const Result<ProcessResult> result =
      system_runner().run({.argv = {"sh", "-c", "cat; echo err >&2; exit 3"}, .stdin_text = "hello"});
  REQUIRE(result);
  CHECK(result->out == "hello");
  CHECK(result->err == "err\n");
  CHECK(result->exit_code == 3);
  CHECK(result->how() == "exited with 3");
}

TEST_CASE("a program that is not there is an error and not exit code 127") {
  const Result<ProcessResult> result = system_runner().run({.argv = {"no-such-program-here"}});
  REQUIRE_FALSE(result);
  CHECK(result.error().message == "starting 'no-such-program-here': no such program in PATH");
}

TEST_CASE("a child that ignores SIGTERM is killed with its children when its time is up") {
  const Result<ProcessResult> result = system_runner().run(
      {.argv = {"sh", "-c", "trap '' TERM; sleep 60 & sleep 60"}, .timeout = 0.2, .grace = 0.1});
  REQUIRE(result);
  CHECK(result->timed_out);
  CHECK(result->signal == 9);
}

TEST_CASE("a missing working directory is named by the error") {
  CHECK_FALSE(system_runner().run({.argv = {"true"}, .cwd = "/no/such/place"}));
}

TEST_CASE("a child that prints faster than it is read is still stopped in time") {
  const Result<ProcessResult> result =
      system_runner().run({.argv = {"yes"}, .capture_limit = 1000, .timeout = 0.2, .grace = 0.5});
  REQUIRE(result);
  CHECK(result->timed_out);
  CHECK(result->out.size() == 1000);
  CHECK(result->elapsed < 5);
}

TEST_CASE("programs of PATH and files of any kind count as installed") {
  CHECK(is_installed("sh"));
  CHECK(is_installed("/bin/sh"));
  CHECK(is_installed("/proc/version"));
  CHECK_FALSE(is_installed("no-such-program-here"));
  CHECK_FALSE(is_installed("/no/such/file"));
}

TEST_CASE("the time of a short program covers all its own processor time") {
  for (int i = 0; i < 20; ++i) {
    const Result<ProcessResult> result = system_runner().run({.argv = {"true"}});
    REQUIRE(result);
    CHECK(result->elapsed >= result->usage.user + result->usage.system);
  }
}

TEST_CASE("what a child leaves in its process group dies with it") {
  const Result<ProcessResult> result = system_runner().run({.argv = {"sh", "-c", "sleep 60 & echo $!"}});
  REQUIRE(result);
  const pid_t pid = static_cast<pid_t>(parse_int(trim(result->out)).value_or(0));
  REQUIRE(pid > 1);
  const std::string stat = "/proc/" + std::to_string(pid) + "/stat";
  for (int i = 0; i < 100 && read_file(stat).value_or(" Z ").contains(" S "); ++i) ::usleep(10'000);
  CHECK_FALSE(read_file(stat).value_or(" Z ").contains(" S "));
}

TEST_CASE("several children are waited for at once, and stopped at once") {
  std::vector<std::unique_ptr<Process>> owned;
  std::vector<Process*> all;
  for (const char* seconds : {"0.05", "60", "60"}) {
    owned.push_back(*system_runner().start({.argv = {"sleep", seconds}}));
    all.push_back(owned.back().get());
  }
  const double start = system_clock().monotonic();
  while (!all[0]->ended() && system_clock().monotonic() < start + 30) wait_for_any(all, start + 30);
  CHECK(all[0]->ended());
  CHECK(system_clock().monotonic() - start < 10);
  CHECK_FALSE(all[1]->ended());
  const std::vector<ProcessResult> results = stop_all(all, 10);
  CHECK(results[0].exit_code == 0);
  CHECK(results[1].signal == SIGTERM);
  CHECK(results[2].signal == SIGTERM);
}

TEST_CASE("children that ignore SIGTERM are killed after their grace") {
  std::unique_ptr<Process> process =
      *system_runner().start({.argv = {std::string(BIN_DIR) + "/programs/stubborn"}});
  while (!process->has_printed("not going\n")) ::usleep(1000);
  Process* all[] = {process.get()};
  CHECK(stop_all(all, 0.1)[0].signal == SIGKILL);
}

TEST_CASE("a child sees no descriptor but its three") {
  const int leaked = ::dup(STDERR_FILENO);
  const Result<ProcessResult> result =
      system_runner().run({.argv = {"test", "-e", "/proc/self/fd/" + std::to_string(leaked)}});
  ::close(leaked);
  REQUIRE(result);
  CHECK(result->exit_code == 1);
}

TEST_CASE("affinity, randomisation and environment are as asked for") {
  const Result<ProcessResult> result = system_runner().run(
      {.argv = {"sh", "-c",
                "grep Cpus_allowed_list /proc/self/status; cat /proc/self/personality; echo $KILTER_TEST"},
       .env = {{"KILTER_TEST", "a b"}},
       .cpus = {0},
       .disable_aslr = true});
  REQUIRE(result);
  CHECK(result->out.contains("Cpus_allowed_list:\t0\n"));
  CHECK(result->out.contains("00040000\n"));
  CHECK(result->out.ends_with("a b\n"));
}

TEST_CASE("memory comes from the NUMA nodes asked for") {
  if (!std::filesystem::exists("/proc/self/numa_maps")) {
    MESSAGE("not tested: this kernel has no NUMA");
    return;
  }
  const Result<ProcessResult> result =
      system_runner().run({.argv = {"cat", "/proc/self/numa_maps"}, .mem_nodes = {0}});
  REQUIRE(result);
  CHECK(result->out.contains(" bind:0 "));
  const Result<ProcessResult> missing = system_runner().run({.argv = {"true"}, .mem_nodes = {1000}});
  REQUIRE_FALSE(missing);
  CHECK(missing.error().message.contains("starting 'true'"));
}

TEST_CASE("usage adds up, but for the peak of memory") {
  Usage usage{.user = 1, .max_rss_kb = 10, .minor_faults = 3};
  usage += {.user = 2, .max_rss_kb = 7, .minor_faults = 4};
  CHECK(usage.user == 3);
  CHECK(usage.max_rss_kb == 10);
  CHECK(usage.minor_faults == 7);
}
