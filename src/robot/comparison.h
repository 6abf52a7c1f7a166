#pragma once

#include "analyse/compare.h"
#include "base/result.h"
#include "model/report_types.h"
#include "robot/operands.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

// Operands -> tables: what `kilter compare` and the report verbs call.
namespace kilter::robot {

struct ComparisonRequest {
  std::vector<std::string> operands;
  OperandContext context;
  std::vector<std::string> compare_axes = {"commit"};
  analyse::CompareOptions options;  // its compare_axes are set from the groups
  bool lkp_zeros = false;           // a number that a matrix.json of LKP's lacks is 0, as LKP reads it
  bool force = false;               // unlike machines are compared, and the table says so
  bool kernel_is_compared = false;  // kernels may differ; they may, too, where their commits are compared
  // Commits, oldest first, for histories; see evidence.h.
  std::function<std::optional<std::vector<std::string>>(const std::vector<std::string>&)> in_order;
  // Subject line of a commit, "" when unknown; empty function: labels are the bare commits.
  std::function<std::string(const std::string& commit)> subject_of;
};

struct Comparison {
  std::vector<model::CompareTable> tables;  // one a group, in the order of their first cells
  std::vector<std::vector<Cell>> columns;   // the cells behind each table's columns
  std::vector<std::string> compare_axes;    // what may differ between them: as asked, or "directory"
  std::vector<std::string> notes;           // what was left out
  std::vector<std::string> caveats;         // of the results themselves; they stand among the notes, too
};

// Every run of both cells ran one and the same build.
[[nodiscard]] bool same_build(const Cell& a, const Cell& b);

// Fails when nothing has a counterpart, and when machines of a group differ in what matters and `force` is
// not set: the error names the parts.
[[nodiscard]] Result<Comparison> compare_operands(const ComparisonRequest& request);

}  // namespace kilter::robot
