#pragma once

#include "base/result.h"
#include "model/plan.h"
#include "model/series.h"
#include "os/files.h"
#include "os/process.h"

#include <string>
#include <vector>

// A run directory's raw files -> series (`<name>.json`) and metrics (`stats.json`).
namespace kilter::robot {

struct Collected {
  model::Metrics metrics;
  std::size_t benchmark_values = 0;  // values the benchmark itself gave
  std::vector<std::string> notes;    // what could not be read, one line each
};

// Reads the program's log by the plan's parser, the time files, and every monitor's recording; writes the
// JSON files beside them. `begin`/`end` cut series to a window in seconds, as stats_part_begin/end of a job;
// negative: not set.
struct CollectOptions {
  double part_begin = -1;
  double part_end = -1;
};
[[nodiscard]] Result<Collected> collect(const os::Path& run_dir, const model::Plan& plan,
                                        os::ProcessRunner& runner, const CollectOptions& options = {});

}  // namespace kilter::robot
