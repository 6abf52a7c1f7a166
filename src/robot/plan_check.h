#pragma once

#include "base/result.h"
#include "model/plan.h"
#include "model/unit_job.h"
#include "suite/suite.h"

#include <string>
#include <vector>

// What a job asks for and a plan does not do: to be told before a run, not found out after it.
namespace kilter::robot {

// LKP's set-up programs (disk, fs, md, ...) for which kilter has no step and which `suite` does not do by
// itself, and parameters that `suite` does not have.
[[nodiscard]] std::vector<model::SkippedSetting> settings_not_done(const model::UnitJob& job,
                                                                   const suite::Suite& suite);
// Programs nobody knows, tests and daemons beside the one that is measured, options that a monitor does not
// have: one line each, with file, line and column. A monitor's interval that is no time, and a
// parameter of the suite where it is no axis, are errors.
[[nodiscard]] Result<std::vector<std::string>> plan_warnings(const model::UnitJob& job,
                                                             const suite::Suite& suite);

}  // namespace kilter::robot
