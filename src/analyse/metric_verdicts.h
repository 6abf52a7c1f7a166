#pragma once

#include "analyse/answer.h"
#include "analyse/rec.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

// All metrics of one comparison at once: they lend each other scales, and share one false discovery rate.
// Pure.
namespace kilter::analyse {

// One metric. Value i of a, of b and of each build of the history is of the same run in all metrics; NaN
// where the run lacks the metric. Put those first that shall speak for their copies.
struct MetricEvidence {
  RecInput runs;
  bool headline = false;  // held to kHeadlineLevel alone, outside the rate of the others
  double minimal_effect = kCounterMinimalEffect;
};

struct MetricVerdict {
  RecResult result;
  Answer answer = Answer::unknown;
  double q = 1;  // the false discovery rate at which it is a change; p for a headline
  std::size_t speaker =
      0;  // the metric it is a copy of (correlated.h; looked for where p <= .1), itself mostly
};

struct VerdictOptions {
  double headline_level = kHeadlineLevel;
  double report_level = kReportLevel;
  std::size_t fewest_runs = 3;
};

// One for each metric, in their order; nullopt where a side has no value.
[[nodiscard]] std::vector<std::optional<MetricVerdict>> metric_verdicts(
    std::span<const MetricEvidence> metrics, const VerdictOptions& options = {});

}  // namespace kilter::analyse
