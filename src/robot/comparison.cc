#include "robot/comparison.h"

#include "analyse/fingerprint.h"
#include "base/text.h"
#include "robot/evidence.h"
#include "robot/skipped_settings.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

namespace kilter::robot {
namespace {

// "machines differ: ..." of the first column that does, "" when all are alike.
std::string unlike_machines(const std::vector<Cell>& columns, bool kernel_is_compared) {
  for (std::size_t column = 1; column < columns.size(); ++column) {
    const std::string text = analyse::describe_unlike(columns[0].fingerprint, columns[column].fingerprint,
                                                      {.kernel_is_compared = kernel_is_compared});
    if (!text.empty()) return text;
  }
  return "";
}

std::string short_name(const Cell& cell) {
  const auto commit = cell.axes.find("commit");
  return printable(commit == cell.axes.end() ? cell.origin : model::short_commit(commit->second));
}

// "a and b are the same program, ...", "" when all columns differ.
std::string identical_builds(const std::vector<Cell>& columns, bool kernels) {
  std::vector<std::string> pairs;
  for (std::size_t i = 1; i < columns.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (same_build(columns[i], columns[j])) {
        pairs.push_back(short_name(columns[j]) + " and " + short_name(columns[i]));
        break;
      }
  if (pairs.empty()) return "";
  const std::string what =
      kernels ? " are one build of the kernel" : " built to the same program, byte for byte";
  return join(pairs, ", ") + what + ": a difference between them is noise";
}

bool is_of_no_project(const Cell& cell) {
  return cell.projects.empty();
}

// Kernels that are called alike and are not: a release without a commit in it, say.
std::vector<std::string> mixed_kernels(const std::vector<Cell>& columns) {
  std::vector<std::string> notes;
  for (const Cell& cell : columns)
    if (is_of_no_project(cell) && cell.build_ids.size() > 1)
      notes.push_back(
          fmt::format("'{}' was measured on {} kernels that bear this name: tell them apart with "
                      "kilter run --kernel-name",
                      short_name(cell), cell.build_ids.size()));
  return notes;
}

std::string subject_of(const Cell& cell, const ComparisonRequest& request) {
  const auto commit = cell.axes.find("commit");
  if (!request.subject_of || commit == cell.axes.end()) return "";
  return request.subject_of(commit->second);
}

// Only our rule asks for it, and only a store knows it.
Result<model::BuildHistory> history_of(const std::vector<Cell>& columns, bool kernels,
                                       const ComparisonRequest& request) {
  if (request.options.judged_by != analyse::ChangeRule::kilter || request.context.store == nullptr)
    return model::BuildHistory{};
  HistoryRequest asked = history_request(columns, kernels || request.kernel_is_compared);
  asked.in_order = request.in_order;
  return load_history(*request.context.store, asked);
}

Result<model::CompareTable> table_of(const std::vector<Cell>& columns,
                                     const std::vector<std::string>& compare_axes,
                                     const ComparisonRequest& request) {
  const bool commits = std::ranges::find(compare_axes, "commit") != compare_axes.end();
  const bool kernels = commits && std::ranges::all_of(columns, is_of_no_project);
  const std::string unlike = unlike_machines(columns, request.kernel_is_compared || kernels);
  if (!unlike.empty() && !request.force)
    return failure(fmt::format("comparing '{}' with others: {}", printable(columns[0].origin), unlike),
                   "--force compares them all the same and labels the table");
  std::vector<analyse::CompareInput> inputs;
  for (const Cell& cell : columns)
    inputs.push_back({.axes = cell.axes,
                      .label = "",
                      .subject = commits ? subject_of(cell, request) : "",
                      .matrix = &cell.matrix,
                      .runs = run_labels(cell)});
  analyse::CompareOptions options = request.options;
  options.compare_axes = compare_axes;
  for (const Cell& cell : columns)
    if (!cell.program.empty()) options.rule.benchmarks.insert(cell.program);
  if (request.lkp_zeros && std::ranges::all_of(columns, &Cell::from_lkp)) options.missing_is_zero = true;
  ASSIGN_OR_RETURN(const model::BuildHistory history, history_of(columns, kernels, request));
  options.verdicts.history = &history;
  ASSIGN_OR_RETURN(model::CompareTable table, analyse::compare(inputs, options));
  if (!unlike.empty()) table.warning = unlike;
  // Cells of one commit are, of course.
  if (commits) table.identical = identical_builds(columns, kernels);
  return table;
}

}  // namespace

bool same_build(const Cell& a, const Cell& b) {
  return a.build_ids.size() == 1 && a.build_ids == b.build_ids;
}

Result<Comparison> compare_operands(const ComparisonRequest& request) {
  ASSIGN_OR_RETURN(LoadedCells loaded, load_operands(request.operands, request.context));
  Groups groups = group_cells(loaded.cells, request.compare_axes, request.operands.size());
  Comparison comparison;
  comparison.notes = std::move(loaded.notes);
  for (std::string& note : groups.notes) comparison.notes.push_back(std::move(note));
  if (groups.tables.empty())
    return usage_error("comparing: no two results differ in " + join(request.compare_axes, "/") + " alone",
                       join(comparison.notes, "; "));
  for (const std::vector<std::size_t>& members : groups.tables) {
    std::vector<Cell>& columns = comparison.columns.emplace_back();
    for (const std::size_t member : members) columns.push_back(std::move(loaded.cells[member]));
    std::vector<std::string> notes = skipped_settings_notes(columns);
    std::ranges::move(mixed_kernels(columns), std::back_inserter(notes));
    for (std::string& note : notes)
      if (std::ranges::find(comparison.caveats, note) == comparison.caveats.end())
        comparison.caveats.push_back(std::move(note));
    ASSIGN_OR_RETURN(model::CompareTable table, table_of(columns, groups.compare_axes, request));
    comparison.tables.push_back(std::move(table));
  }
  comparison.notes.insert(comparison.notes.end(), comparison.caveats.begin(), comparison.caveats.end());
  comparison.compare_axes = std::move(groups.compare_axes);
  return comparison;
}

}  // namespace kilter::robot
