#pragma once

#include "execute/set_up.h"
#include "model/plan.h"

#include <string>
#include <vector>

namespace kilter::execute {

// reproduce.sh: the run as a POSIX shell script that needs no kilter: set-up with its undoing, daemons, body.
// `steps` say which set-up steps were done here; those that were skipped stand in it as comments.
[[nodiscard]] std::string reproduce_script(const model::Plan& plan, const std::vector<StepResult>& steps);

}  // namespace kilter::execute
