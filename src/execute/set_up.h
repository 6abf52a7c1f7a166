#pragma once

#include "execute/undo.h"
#include "model/plan.h"

#include <string>
#include <vector>

namespace kilter::execute {

// What became of one step, for plan.json and the notes.
struct StepResult {
  std::string name;
  std::string before;  // what a `write` step found
  std::string after;
  std::string skipped;  // why it was not done; "" = done
};

// Does the steps in order, one result for each; each is journalled before it is done. A step that cannot be
// done is skipped, unless it is required: then this is an Error, and what was done waits in the journal to be
// undone. The path of a `write` step may hold * and ?: all files that match are written.
[[nodiscard]] Result<std::vector<StepResult>> set_up(const std::vector<model::Step>& steps, Journal& journal,
                                                     os::ProcessRunner& runner, const os::Root& root);

}  // namespace kilter::execute
