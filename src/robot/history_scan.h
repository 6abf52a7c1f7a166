#pragma once

#include "base/result.h"
#include "robot/history.h"
#include "robot/lab.h"

#include <functional>
#include <string>
#include <vector>

// The changes of every series of a database.
namespace kilter::robot {

// Which metrics of a series are looked at.
enum class MetricChoice {
  headline,  // the one that speaks for it (speaking_metric())
  directed,  // those of which it is known which way is better
  all,       // the monitors' too
};

struct ScanRequest {
  model::Axes axes;  // only series that have all of these
  std::string project;
  std::vector<std::string> metrics;  // keys or their ends; empty: by `choice`
  MetricChoice choice = MetricChoice::directed;
  double since = 0;       // changes that were first measured at or after; seconds since 1970
  std::size_t limit = 0;  // the newest so many are kept; 0: all
  std::size_t threads = 2;
  std::function<void(std::size_t done, std::size_t all)> progress;  // in groups of series; may be empty
};

// Reads one group (the metrics of one series of cells) while the one before is judged by `threads` workers:
// memory is bounded by two groups, wide ones in slices. An interrupt is an Error.
[[nodiscard]] Result<model::FoundChanges> scan_histories(const ReadingRoom& room, const CommitLines& lines,
                                                         const ScanRequest& request);

}  // namespace kilter::robot
