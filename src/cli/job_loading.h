#pragma once

#include "cli/job_words.h"
#include "robot/subjects.h"

#include <vector>

namespace kilter::cli {

// The unit jobs that the words after a verb mean: the jobs given, else the project's, else its benchmark with
// its defaults; with a command alone, mytest's.
[[nodiscard]] Result<std::vector<model::UnitJob>> load_unit_jobs(const robot::Lab& lab,
                                                                 const robot::ProjectChoice& choice,
                                                                 JobWords words, bool has_command);

}  // namespace kilter::cli
