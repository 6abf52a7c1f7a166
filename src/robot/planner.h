#pragma once

#include "base/result.h"
#include "model/plan.h"
#include "model/unit_job.h"
#include "monitor/sampler.h"
#include "robot/lab.h"

#include <string>
#include <vector>

// A unit job -> the plan of one run on this machine.
namespace kilter::robot {

struct PlanOptions {
  bool monitors = true;
  std::vector<std::string> command;  // the words after `--`: what `mytest` runs
  // Where those words, and the command of suite mytest, run; empty: in the run's scratch directory. With a
  // build under test it is the build's directory.
  std::string directory;
  std::map<std::string, std::string> artefacts;  // of the build under test, by name
  int env_padding = 0;                           // model::Workload's
};

struct PlannedRun {
  const suite::Suite* suite = nullptr;  // of the lab's catalogue
  model::Plan plan;
  monitor::SamplerSpec sampler;       // its directory is set when the run directory is known
  std::vector<std::string> warnings;  // what the job asks for and the plan leaves out
};

// The suite's command lines, the job's set-up steps, and the monitors that this machine can run; those it
// cannot are listed in the plan with the reason.
[[nodiscard]] Result<PlannedRun> make_plan(const model::UnitJob& job, const Lab& lab,
                                           const PlanOptions& options);

// Name of the sampler's specification in a run directory.
inline constexpr const char* kSamplerSpec = "sampler.spec.json";

}  // namespace kilter::robot
