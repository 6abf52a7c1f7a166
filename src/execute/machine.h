#pragma once

#include "base/result.h"
#include "model/machine.h"
#include "model/plan.h"
#include "model/run.h"
#include "os/clock.h"
#include "os/files.h"
#include "os/process.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

// Where a plan is executed: this machine now, and by the same interface guests, boxes behind ssh and Slurm
// nodes.
namespace kilter::execute {

// Told about twice a second while a run goes on.
struct Progress {
  enum class Phase { set_up, running, tear_down };
  Phase phase = Phase::set_up;
  int iteration = 0;    // the one that runs, from 1
  int iterations = 0;   // 0: as many as fit into the plan's min_seconds
  double elapsed = 0;   // seconds of the workload so far
  double expected = 0;  // seconds; 0 = unknown
};

inline constexpr std::uint64_t kLogLimit = std::uint64_t{256} << 20;

struct RunRequest {
  model::Plan plan;
  os::Path run_dir;                     // an existing directory; the caller renames it into place afterwards
  std::string job_text;                 // written as job.yaml when not empty
  model::RunRecord record;              // prefilled: axes, commit, build, session, place
  os::Path home;                        // <home>/journal holds the undo journal
  double time_limit = 0;                // seconds for the workload, in place of the plan's; 0 = the plan's
  std::uint64_t log_limit = kLogLimit;  // bytes of the workload's log
  std::function<void(const Progress&)> progress;
};

struct RunResult {
  // As prefilled, with outcome, reason, times, fingerprint and boot id. `unmeasured` is for the caller to
  // say, who parses the results.
  model::RunRecord record;
  // One line each: steps and recorders that were skipped and why, processes that were left behind.
  std::vector<std::string> notes;
  std::string last_words;  // of the workload: the last line that it printed; "" none
};

class Machine {
 public:
  virtual ~Machine() = default;
  [[nodiscard]] virtual Result<model::Machine> describe() = 0;
  // Executes the plan and fills the run directory: job.yaml, plan.json, machine.json, outcome.json, the
  // program's log, `<program>.time`, `time`, reproduce.sh and what the recorders write (docs/running.md).
  // A workload that fails, hangs or cannot be started is a RunResult with its outcome. An Error means that
  // there is nothing to keep: interrupted, or the run directory or the home cannot be written. Either way the
  // machine is as it was before.
  [[nodiscard]] virtual Result<RunResult> run(const RunRequest& request) = 0;
};

// The machine kilter runs on. `root` is "/" but in tests; it must outlive the Machine, as must the others.
[[nodiscard]] std::unique_ptr<Machine> local_machine(os::ProcessRunner& runner, os::Clock& clock,
                                                     const os::Root& root);

}  // namespace kilter::execute
