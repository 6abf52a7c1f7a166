#pragma once

#include "model/report_types.h"

#include <vector>

namespace kilter::analyse {

// A row with the samples behind it, column after column.
struct SampledRow {
  model::CompareRow row;
  std::vector<double> samples;
};

// Merges rows that say the same thing twice and names the others in `copies` of the one kept:
//   - identical samples (netperf.Throughput_tps and ThroughputBoth_tps, elapsed_time and .max);
//   - one program's rows that print alike in every column;
//   - pages beside kB (numa-vmstat.nodeN beside numa-meminfo.nodeN, proc-vmstat beside meminfo);
//   - last_state.is_incomplete_run, where rows of outcomes (last_state.timed-out) count the same runs.
// Kept is a headline metric, else one with a direction, else the shortest name. Failure and perf-profile rows
// are left alone otherwise: equal numbers there are different facts; so are rows of few small integers.
[[nodiscard]] std::vector<model::CompareRow> merge_copies(std::vector<SampledRow> rows);

}  // namespace kilter::analyse
