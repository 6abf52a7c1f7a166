#pragma once

#include "base/result.h"
#include "robot/history.h"
#include "robot/lab.h"

#include <string>
#include <vector>

// What people name -> the histories they mean.
namespace kilter::robot {

struct HistoryQuery {
  std::vector<std::string> words;    // axes (k=v), parts of result paths, metrics; all must hold
  std::vector<std::string> metrics;  // keys or their ends; empty: the headline of each series
  std::string project;               // "": any
};

// The room has a store. Sorted by series, then metric; never none: what does not fit is an error that says
// what may have been meant.
[[nodiscard]] Result<std::vector<model::MetricHistory>> find_histories(const ReadingRoom& room,
                                                                       const CommitLines& lines,
                                                                       const HistoryQuery& request);

// The metric that speaks for a run with these keys: its suite's first headline, else the best known
// throughput or latency, else the time it took; "" without keys.
[[nodiscard]] std::string speaking_metric(const suite::Catalogue& catalogue,
                                          const std::vector<std::string>& keys);

}  // namespace kilter::robot
