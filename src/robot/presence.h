#pragma once

#include "base/result.h"
#include "model/unit_job.h"
#include "robot/planner.h"

namespace kilter::robot {

// Whether the programs and directories that the plan's commands start from are there, before anything runs.
// What a build or a run makes itself is not looked for. An Error tells what is missing and, of a suite that
// can be installed, with which command.
[[nodiscard]] Status check_presence(const model::UnitJob& job, const PlannedRun& run);

}  // namespace kilter::robot
