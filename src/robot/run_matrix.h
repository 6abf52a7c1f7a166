#pragma once

#include "base/result.h"
#include "model/run.h"
#include "model/series.h"

#include <span>
#include <string>
#include <vector>

// Runs of one cell, whatever their outcome, side by side.
namespace kilter::robot {

struct MeasuredRun {
  model::RunRecord record;
  model::Metrics metrics;
  std::string source;  // path of its stats.json
};

// A column a run. A run that is not `ok` measured nothing: of its metrics only verdicts and log lines stay,
// and it is marked by last_state.is_incomplete_run and, unless the run came with that mark, by
// last_state.<outcome>, so that it counts among the
// failures and in no average.
[[nodiscard]] model::Matrix matrix_of_runs(std::span<const MeasuredRun> runs);

}  // namespace kilter::robot
