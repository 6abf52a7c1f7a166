#pragma once

#include "model/series.h"

#include <span>
#include <string>

// Runs side by side, and the JSON forms of LKP's files: 2-space indent, one element a line, no final newline.
namespace kilter::analyse {

struct RunMetrics {
  std::string source;  // path of its stats.json
  model::Metrics metrics;
};

// A group's matrix: one column a run. What a run lacks is missing, not 0. Per-CPU rows of sched_debug are
// left out.
[[nodiscard]] model::Matrix unite(std::span<const RunMetrics> runs);

// Files of one run as one matrix: a column a record (matrix.json of a run directory).
[[nodiscard]] std::string run_matrix_json(std::span<const model::SeriesFile> files);
[[nodiscard]] std::string series_json(const model::SeriesFile& file);
[[nodiscard]] std::string metrics_json(const model::Metrics& metrics);

}  // namespace kilter::analyse
