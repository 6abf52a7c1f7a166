#pragma once

#include "analyse/answer.h"
#include "analyse/hierarchy.h"
#include "analyse/lkp_rule.h"
#include "analyse/row_order.h"
#include "base/result.h"
#include "model/axes.h"
#include "model/report_types.h"
#include "model/run_table.h"
#include "model/series.h"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace kilter::analyse {

// One column: a cell's runs and what they are called.
struct CompareInput {
  model::Axes axes;             // all of them, the compared one included
  std::string label;            // shown in the commit list; "": the compared value, or `sha ("subject")`
  std::string subject;          // of the commit, "" when there is none
  const model::Matrix* matrix;  // not owned, never null
  // One a column of the matrix, in the order in which they ran; empty: nothing is known of them, and each run
  // counts by itself.
  std::vector<RunLabel> runs;
};

// Who says what changed: LKP's overlapping ranges, or the test of metric_verdicts.h.
enum class ChangeRule { lkp, kilter };

// Of ChangeRule::kilter.
struct VerdictRule {
  double headline_delta = kHeadlineMinimalEffect;  // of benchmarks' own metrics
  double other_delta = kCounterMinimalEffect;
  double headline_level = kHeadlineLevel;
  double report_level = kReportLevel;
  const model::BuildHistory* history = nullptr;  // earlier builds of the same series; not owned
};

struct CompareOptions {
  ChangeRule judged_by = ChangeRule::lkp;
  VerdictRule verdicts;
  std::string wanted;   // this metric makes a row whatever the answer; "": none
  LkpRuleOptions rule;  // the testcases and suites of the columns are benchmarks too
  std::vector<std::string> compare_axes = {"commit"};
  bool all = false;  // every metric, changed or not
  // Runs that lack a metric count as 0: what LKP's matrices mean by a missing number.
  bool missing_is_zero = false;
  // LKP's faults too: %reproduction by the runs of the column before, percent of a zero base by 1e-100.
  bool as_lkp = false;
  bool merge_copies = true;  // rows that say the same thing twice become one
  // headline_first: headlines that did not change are told in a note, too.
  RowOrder order = RowOrder::lkp;
  // Unit, direction and headline of a metric; empty: directions from the lists.
  std::function<model::MetricInfo(const std::string& key)> metric_info;
};

// Compares every column with the first. A row is printed when the rule finds a change in any of them; a
// failure's also when it happens more or less often, whatever the odds.
// Rows: in `order` (row_order.h). Perf
// rows leave incomplete runs (last_state.is_incomplete_run) out, failure rows count them. A change is a
// percentage, or a difference for perf-profile.* and keys ending in '%'; +-infinity from a base of zero; NaN
// where either side has no sample. Fails with fewer than two columns.
[[nodiscard]] Result<model::CompareTable> compare(std::span<const CompareInput> columns,
                                                  const CompareOptions& options);

}  // namespace kilter::analyse
