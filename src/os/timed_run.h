#pragma once

#include "base/result.h"
#include "os/fd.h"
#include "os/files.h"
#include "os/perf_event.h"
#include "os/process.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

// One program executed many times, each timed as exactly as the kernel allows: the clock starts in the child
// just before exec and stops when the kernel tells of its end; nothing of ours runs in between (the child's
// memory is not copied, its output is not read). What an execution itself costs (exec, the dynamic linker,
// tearing its memory down) is part of the time.
namespace kilter::os {

struct TimedCommand {
  std::vector<std::string> argv;   // argv[0] without a slash is looked up in PATH
  Path input;                      // stdin; empty: /dev/null
  bool discard_output = false;     // to /dev/null; else stdout and stderr go to one file in memory
  std::vector<int> cpus;           // affinity; empty: the caller's
  std::optional<PerfEvent> event;  // counted for it and its children
  double time_limit = 0;           // seconds; 0 = none. Then SIGTERM, and SIGKILL a second later
};

struct TimedRun {
  int exit_code = -1;  // -1 when a signal ended it
  int signal = 0;
  bool timed_out = false;
  bool interrupted = false;
  double wall = 0;  // seconds
  // Of it and of its waited-for descendants. `max_rss_kb` is 0 where it is no more than our own, with which
  // the kernel lets a child begin.
  Usage usage;
  double count = 0;  // of the event
  std::uint64_t output_bytes = 0;

  [[nodiscard]] bool ok() const { return exit_code == 0 && !timed_out && !interrupted; }
  // "exited with 3", as ProcessResult::how.
  [[nodiscard]] std::string how() const;
};

class TimedProgram {
 public:
  // Finds the program and opens what it needs.
  [[nodiscard]] static Result<TimedProgram> prepare(TimedCommand command);
  TimedProgram(TimedProgram&&) noexcept;
  TimedProgram& operator=(TimedProgram&&) noexcept;
  ~TimedProgram();

  // Executes it and waits for its end; then its whole process group is killed. `padding` bytes are the value
  // of KILTER_ENV_PADDING in its environment (it moves the stack); without it the variable is not there. A
  // program that cannot be executed is an Error.
  [[nodiscard]] Result<TimedRun> run(std::size_t padding);
  // What the last execution printed: the last kKeptOutput bytes of it, and "" when it was discarded.
  static constexpr std::uint64_t kKeptOutput = std::uint64_t{4} << 20;
  [[nodiscard]] std::string output() const;

 private:
  struct Prepared;
  explicit TimedProgram(std::unique_ptr<Prepared> prepared);
  std::unique_ptr<Prepared> prepared_;
};

}  // namespace kilter::os
