#pragma once

#include "base/result.h"
#include "model/run.h"
#include "model/series.h"
#include "model/unit_job.h"
#include "robot/kernel.h"
#include "robot/lab.h"
#include "robot/planner.h"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

// One run of one unit job, from plan to stored result.
namespace kilter::robot {

// One build of a revision; several differ in their layout alone.
struct BuildVariant {
  std::string build_id;
  std::map<std::string, std::string> artefacts;  // name -> path
  std::string build_info;                        // build.json of its runs
};

// What is being measured, beside the job.
struct Subject {
  std::string commit;    // axis value: a sha, `sha+patch`, or the kernel's name for a plain local run
  std::string kconfig;   // axis value: the recipe; the kernel's configuration for a plain local run
  std::string compiler;  // axis value; "": the machine's
  std::string project;   // "" for a plain local run
  std::string name;      // as the user called it: "v0.9"; "" when `commit` is the only name
  std::string build_id;
  std::string subject_line;                      // of the commit; "" when there is none
  std::map<std::string, std::string> artefacts;  // name -> path
  std::string build_info;                        // build.json of its runs; "" when nothing was built
  std::vector<BuildVariant> more_builds;         // other layouts of the same sources
  std::optional<RunningKernel> kernel;           // that a plain local run measures
  std::set<std::string> told;                    // general axes whose value the job is trusted for
};

// `subject` as its run number `run` measures it: its builds take turns.
[[nodiscard]] Subject build_in_turn(const Subject& subject, std::size_t run);

struct Measurement {
  const model::UnitJob& job;
  const Subject& subject;
  PlanOptions plan;
  int block = -1;
  int place = -1;
  double time_limit = 0;
  std::function<void(const execute::Progress&)> progress;
  bool warm_up = false;  // measured like any other, and nothing is kept: `record.directory` is not there
};

struct Measured {
  model::RunRecord record;
  model::Metrics metrics;
  std::vector<std::string> notes;
  std::vector<model::UnavailableMonitor> unavailable;
};

// "there are lib.speed, lib.latency, ...": the benchmark's own metrics, the first few.
[[nodiscard]] std::string metrics_hint(const model::Metrics& metrics, const std::string& program);

// Runs, parses, stores. The outcome is in the record, also of a benchmark that broke its own run directory;
// an Error means that nothing was kept (interrupted, or the state folder cannot be written).
inline constexpr const char* kBuildInfo = "build.json";  // project/build_record.h
[[nodiscard]] Result<Measured> measure(Lab& lab, const Measurement& measurement);

// The subject of a plain local run: the running kernel, called `name` where that is not empty. `told` are
// general axes (commit, kconfig, compiler, rootfs) that the user has set for the job.
[[nodiscard]] Subject local_subject(const Lab& lab, const std::string& name = "",
                                    std::set<std::string> told = {});
// That the newest stored run of this name ran on another build of the kernel; "" when it did not.
[[nodiscard]] std::string other_kernel_note(const Lab& lab, const Subject& subject);
// All axes of a run of `job` on this machine.
[[nodiscard]] model::Axes run_axes(const Lab& lab, const model::UnitJob& job, const Subject& subject,
                                   const std::string& engine);
// A run that could not even start (its build failed) is kept too, with its outcome and, if not empty, a log.
[[nodiscard]] Result<model::RunRecord> record_failure(Lab& lab, const Measurement& measurement,
                                                      model::Outcome outcome, const std::string& reason,
                                                      const std::string& log);

}  // namespace kilter::robot
