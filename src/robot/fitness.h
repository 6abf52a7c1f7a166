#pragma once

#include "base/result.h"
#include "job/filters.h"
#include "robot/lab.h"
#include "robot/planner.h"

#include <string>
#include <vector>

// Which unit jobs of a job file are worth running on this machine.
namespace kilter::robot {

[[nodiscard]] job::MachineFacts machine_facts(const Lab& lab);

// Takes out the unit jobs whose need_* keys this machine does not meet; one line each in `notes`, and one for
// each need that could not be checked. An Error when none is left.
[[nodiscard]] Status leave_out_unfit(const Lab& lab, std::vector<model::UnitJob>& jobs,
                                     std::vector<std::string>& notes);
// Makes the plan of every unit job, so that what is wrong, or not installed, is known before anything is
// built or run. Takes out those that would do what another one does, with parameters that change nothing;
// warnings of the plans and a line for each that was taken out, of jobs that kilter does not bring itself, go
// to `notes`.
[[nodiscard]] Status check_plans(const Lab& lab, const PlanOptions& options,
                                 std::vector<model::UnitJob>& jobs, std::vector<std::string>& notes);

}  // namespace kilter::robot
