#pragma once

#include "model/axes.h"
#include "model/series.h"
#include "model/verdict.h"

#include <optional>
#include <string>
#include <vector>

// What analyse answers and report renders: comparison tables as data.
namespace kilter::model {

// One column's summary of one metric.
struct CellSummary {
  int n = 0;  // samples
  double average = 0;
  double stddev = -1;      // population; -1 when n <= 1
  bool present = false;    // false: no sample at all
  std::int64_t fails = 0;  // failure rows: sum of samples
  std::int64_t runs = 0;   // failure rows: columns of the cell
};

struct CompareRow {
  std::string key;
  bool failure = false;            // fail:runs form
  bool absolute = false;           // change is a difference, not a percentage
  std::vector<CellSummary> cells;  // one per column
  std::vector<double> changes;     // one per column but the first: percent, difference or %reproduction
  MetricInfo info;
  std::vector<std::string> copies;  // keys that say the same thing and are not shown
  // One per column but the first; empty under LKP's rule. nullopt: a side has no value, so nothing was
  // tested.
  std::vector<std::optional<RowVerdict>> verdicts;
};

// How many metrics of one column got which answer; failures are not among them.
struct AnswerCounts {
  std::size_t changed = 0;
  std::size_t same = 0;
  std::size_t unknown = 0;
};

struct CompareColumn {
  std::string commit;   // full value of the compare axis
  std::string subject;  // "" when not from git
  std::string label;    // shown in the commit list: sha, tag, or `sha ("subject")`
  int runs = 0;
  AnswerCounts answers;  // against the base, under our rule
};

// An average as LKP's tables print it: two decimals below 1000, an integer (cut) up to 1e8, else four digits.
[[nodiscard]] std::string average_text(double average);
// The same, but three significant digits below 1: how we print a measured number everywhere.
[[nodiscard]] std::string figure_text(double value);

// One group: same axes but for the compared one.
struct CompareTable {
  std::vector<std::string> axis_names;  // joined by '/'
  std::vector<std::string> axis_values;
  std::string compare_axis = "commit";
  std::vector<CompareColumn> columns;  // first is the base
  std::vector<CompareRow> rows;        // failure rows first, in print order
  bool has_verdicts = false;           // our rule judged, not LKP's
  // Headlines that make no row, for they did not change; under our rule only.
  std::vector<CompareRow> quiet_headlines;
  std::vector<std::string> notes;      // "machines differ: ...", printed under the table
  std::optional<std::string> warning;  // set when --force compared unlike machines
  // Columns that measured one and the same program, byte for byte; "" when there are none. Printed on top.
  std::string identical;
};

}  // namespace kilter::model
