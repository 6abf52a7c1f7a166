#pragma once

#include "base/result.h"

#include <nlohmann/json_fwd.hpp>

#include <map>
#include <string>
#include <vector>

// A plan is data: what one run does, from set-up to tear-down. It is made by the robot room, written to
// plan.json, and executed by the same code in process, by kilter-agent, or in a guest.
namespace kilter::model {

// One change to the machine and its undoing.
struct Step {
  enum class Kind {
    write,  // write `value` into `path` (sysfs, procfs, sysctl); undone by writing back what was there
    run,    // run `argv`; undone by `undo`, if any
    drop_caches,
  };
  std::string name;  // "cpufreq_governor", "sysctl kernel.sched_autogroup_enabled"
  Kind kind = Kind::write;
  std::string path;
  std::string value;
  std::vector<std::string> argv;
  std::vector<std::string> undo;
  bool required = false;  // its failure ends the run (infra-failed); else it is skipped with one line
};

// A recorder process started before the workload and stopped after it, e.g. kilter's sampler.
struct Recorder {
  std::string name;
  std::vector<std::string> argv;  // "{rundir}" in a word is replaced by the run directory; argv[0] "self" is
                                  // kilter-agent where it stands beside the running program, else that
  std::vector<std::string> monitors;  // what it records
  std::vector<int> cpus;              // where it runs; empty: anywhere
};

// A monitor that was asked for and cannot be had here.
struct UnavailableMonitor {
  std::string name;
  std::string reason;
};

// A setting of the job that kilter has no step for: results keep its label, so it must be told.
struct SkippedSetting {
  std::string name;
  std::string reason;
};

// One process of the workload.
struct PlannedCommand {
  std::vector<std::string> argv;
  std::map<std::string, std::string> env;
  std::string cwd;  // empty: a scratch directory of the run, removed afterwards
  std::string stdin_text;
  std::vector<int> cpus;       // affinity
  std::vector<int> mem_nodes;  // NUMA nodes its memory comes from; empty: any
  bool disable_aslr = false;
  int copies = 1;         // run this many at once, all in one log
  bool timed = false;     // log "start time:", "real:", "user:", "sys:", "end time:" lines around it (kbuild)
  bool quiet = false;     // output not kept in the log
  bool may_fail = false;  // a non-zero exit does not fail the test
};

// The workload: daemons around a body that runs `iterations` times, or again and again until `min_seconds`
// are over.
struct Workload {
  std::string program;                  // log file name in the run directory: "stress-ng"
  std::vector<PlannedCommand> daemons;  // started first, stopped last
  std::string ready_port;               // "tcp:12865": wait until it listens on loopback
  std::vector<PlannedCommand> body;
  int iterations = 1;
  double min_seconds = 0;
  bool report_iterations = false;  // log "iterations: n" and "runtime: n" at the end (kbuild)
  double expected_seconds = 0;     // for progress and --dry-run; 0 = unknown
  double timeout = 0;              // seconds; 0 = none
  // Bytes of a variable in the environment of the body's commands: where a stack begins depends on the size
  // of the environment, and speed on that, so runs of a campaign have it at random.
  int env_padding = 0;
  std::string parser;               // of the suite room
  std::string engine = "upstream";  // or "builtin"; results of the two are never compared
};

struct Plan {
  std::string testcase;
  std::map<std::string, std::string> parameters;  // unmapped, as in the axes
  std::string build;        // directory of the artefacts under test; "" when nothing was built
  std::vector<Step> setup;  // undone in reverse
  std::vector<Recorder> recorders;
  std::vector<UnavailableMonitor> unavailable;
  std::vector<SkippedSetting> skipped;
  Workload workload;
};

void to_json(nlohmann::json& json, const Plan& plan);
// A plan may come from elsewhere: a member of a wrong kind, or a negative size, is an error that names it.
[[nodiscard]] Result<Plan> plan_from_json(const nlohmann::json& json);

}  // namespace kilter::model
