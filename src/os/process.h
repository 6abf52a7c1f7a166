#pragma once

#include "base/result.h"
#include "os/files.h"

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Child processes. Each runs in its own process group, which is killed when the child has ended, when its
// time is up, when an interrupt arrives, or when its owner is destroyed. What left the group (setsid,
// daemons) is the business of os/containment.h. A child also dies with its parent (PR_SET_PDEATHSIG). The
// kernel sends that signal when the *thread* that started the child ends, so children must be started by a
// thread that outlives them: the main thread, or a worker that waits for them.
namespace kilter::os {

// Where a stream of the child goes.
struct Stream {
  enum class Kind {
    inherit,      // the caller's
    discard,      // /dev/null
    capture,      // into ProcessResult, at most `capture_limit` bytes (the rest is read and dropped)
    append,       // to the end of `file`
    same_as_out,  // stderr only: where stdout goes
  };
  Kind kind = Kind::capture;
  Path file;
};

struct Command {
  std::vector<std::string> argv;           // argv[0] without a slash is looked up in PATH
  std::map<std::string, std::string> env;  // added to, or replacing, the caller's environment
  bool clear_env = false;                  // start from an empty environment (PATH, HOME, LANG are kept)
  Path cwd;                                // empty: the caller's
  std::string stdin_text;                  // given on stdin; empty: /dev/null
  Stream out;
  Stream err;
  std::size_t capture_limit = std::size_t{64} << 20;
  double timeout = 0;  // seconds; 0 = none. Then SIGTERM, and SIGKILL `grace` seconds later
  double grace = 2;
  std::vector<int> cpus;           // affinity; empty: the caller's
  std::vector<int> mem_nodes;      // NUMA nodes its memory comes from (MPOL_BIND); empty: any
  bool disable_aslr = false;       // personality(ADDR_NO_RANDOMIZE)
  std::vector<Path> cgroups;       // cgroup directories to enter before exec
  bool survive_interrupt = false;  // an interrupt does not end it (undo steps, recorders)
};

// getrusage of the child and of all its waited-for descendants.
struct Usage {
  double user = 0;    // seconds
  double system = 0;  // seconds
  std::int64_t max_rss_kb = 0;
  std::int64_t minor_faults = 0;
  std::int64_t major_faults = 0;
  std::int64_t voluntary_switches = 0;
  std::int64_t involuntary_switches = 0;
  std::int64_t fs_inputs = 0;
  std::int64_t fs_outputs = 0;

  // Sums; the larger of the two for max_rss_kb.
  Usage& operator+=(const Usage& other);
};

struct ProcessResult {
  int exit_code = -1;  // -1 when a signal ended it
  int signal = 0;
  bool timed_out = false;
  bool interrupted = false;
  std::string out;
  std::string err;
  double elapsed = 0;  // seconds
  Usage usage;

  [[nodiscard]] bool ok() const { return exit_code == 0 && !timed_out && !interrupted; }
  // "exited with 3", "killed by SIGSEGV", "timed out after 5.0s", "was interrupted".
  [[nodiscard]] std::string how() const;
};

// A child that runs beside the caller.
class Process {
 public:
  virtual ~Process() = default;  // stops it
  [[nodiscard]] virtual pid_t pid() const = 0;
  // True once it has ended (then wait() returns at once).
  [[nodiscard]] virtual bool ended() = 0;
  virtual void signal(int number) = 0;
  // SIGTERM to the group, `grace` seconds, SIGKILL; then as wait().
  virtual ProcessResult stop() = 0;
  virtual ProcessResult wait() = 0;
  // True once the captured stdout holds `text`; reads what has come, does not wait.
  [[nodiscard]] virtual bool has_printed(std::string_view text) = 0;
  // Descriptors that become readable when the process ends or prints; for wait_for_any.
  [[nodiscard]] virtual std::vector<int> wake_fds() const = 0;
};

// Sleeps until one of the processes ends or prints, an interrupt arrives (unless `heed_interrupt` is false),
// or CLOCK_MONOTONIC reaches `until`. Ask ended() or has_printed() afterwards, which also keep captured pipes
// from filling up.
void wait_for_any(std::span<Process* const> processes, double until, bool heed_interrupt = true);
// SIGTERM to all of them at once, SIGKILL to those that are still there `grace` seconds later; results in
// order.
std::vector<ProcessResult> stop_all(std::span<Process* const> processes, double grace);

// The seam to the world: RealProcessRunner in production, tests/support's ScriptedProcessRunner in tests.
class ProcessRunner {
 public:
  virtual ~ProcessRunner() = default;
  // Starts, waits, collects. A program that cannot be started is an Error; one that fails is a ProcessResult.
  [[nodiscard]] virtual Result<ProcessResult> run(const Command& command) = 0;
  [[nodiscard]] virtual Result<std::unique_ptr<Process>> start(const Command& command) = 0;
};

[[nodiscard]] ProcessRunner& system_runner();
// The full path of a program of PATH, or "".
[[nodiscard]] Path find_program(const std::string& name);
// Whether a path is there (a program, or sources), or a bare name stands in PATH.
[[nodiscard]] bool is_installed(const std::string& what);
// run(), and every end but exit 0 is an Error that quotes the last lines of its output.
[[nodiscard]] Result<std::string> run_checked(ProcessRunner& runner, const Command& command);

}  // namespace kilter::os
