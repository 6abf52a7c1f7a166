#pragma once

#include "analyse/hierarchy.h"
#include "base/result.h"
#include "model/run_table.h"
#include "robot/operands.h"
#include "store/store.h"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

// The evidence of a verdict: the runs of two sides with what they share (build, boot), and how the same
// series scattered before. Comparisons, campaigns and bisections ask here.
//
//   HistoryRequest request = history_request(cells, false);
//   BuildHistory history = load_history(store, request).value();
//   analyse::metric_verdict({.a = .., .b = .., .history = history.of("x.speed")})
namespace kilter::robot {

struct HistoryRequest {
  model::Axes axes;                                // of the series; their commit does not count
  std::set<std::string> left_out;                  // commits that are no history: those compared
  std::set<std::string> fingerprints;              // ids of the compared runs' machines; empty: any
  std::map<std::string, std::string> fingerprint;  // of the base's machine: others may be enough like it
  bool kernel_is_compared = false;                 // so kernels may differ
  double until = 0;       // builds first measured later come after all others; 0: in no way
  std::size_t most = 20;  // builds: the last ones
  // Commits, oldest first; nullopt when some are unknown: then by the time of their first runs.
  std::function<std::optional<std::vector<std::string>>(const std::vector<std::string>&)> in_order;
};

// What the columns of one table ask: the base's series, without any column's commit.
[[nodiscard]] HistoryRequest history_request(std::span<const Cell> columns, bool kernel_is_compared);

// Other builds of a series, earlier ones first of all, in order: ok runs, without patches, on machines that
// are alike. One pass over the store, whatever the number of metrics; empty when there are none.
[[nodiscard]] Result<model::BuildHistory> load_history(store::Store& store, const HistoryRequest& request);

// Build, boot and process of each column of the cell's matrix; empty when its runs are not known. Views into
// `cell`.
[[nodiscard]] std::vector<analyse::RunLabel> run_labels(const Cell& cell);

}  // namespace kilter::robot
