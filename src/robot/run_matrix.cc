#include "robot/run_matrix.h"

#include "analyse/column.h"
#include "analyse/key_lists.h"
#include "analyse/matrix.h"

#include <algorithm>

namespace kilter::robot {
namespace {

// LKP's own mark, of an imported run: it says all that the outcome does.
bool is_marked(const MeasuredRun& run) {
  return std::ranges::any_of(run.metrics, [](const model::Metric& metric) {
    return metric.key == analyse::kIncompleteRun && metric.value.value() != 0;
  });
}

model::Metrics failed_metrics(const MeasuredRun& run) {
  model::Metrics kept;
  for (const model::Metric& metric : run.metrics)
    if (analyse::is_function_stat(metric.key) && metric.key != analyse::kIncompleteRun)
      kept.push_back(metric);
  kept.push_back({.key = std::string(analyse::kIncompleteRun), .value = 1});
  if (!is_marked(run))
    kept.push_back({.key = "last_state." + std::string(model::outcome_name(run.record.outcome)), .value = 1});
  return kept;
}

}  // namespace

model::Matrix matrix_of_runs(std::span<const MeasuredRun> runs) {
  std::vector<analyse::RunMetrics> columns;
  columns.reserve(runs.size());
  for (const MeasuredRun& run : runs)
    columns.push_back(
        {.source = run.source,
         .metrics = run.record.outcome == model::Outcome::ok ? run.metrics : failed_metrics(run)});
  return analyse::unite(columns);
}

}  // namespace kilter::robot
