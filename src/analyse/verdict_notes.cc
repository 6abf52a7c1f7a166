#include "analyse/verdict_notes.h"

#include "analyse/distributions.h"
#include "analyse/drift.h"
#include "analyse/order_statistics.h"
#include "base/text.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace kilter::analyse {
namespace {

using model::CompareRow;
using model::CompareTable;
using model::RowVerdict;

constexpr std::size_t kNamed = 3;            // metrics in one note
constexpr std::size_t kBuildsForEffect = 6;  // history_scale.h
constexpr double kDriftLevel = 0.01;
constexpr std::size_t kFewRuns = 3;

// The rows that somebody reads: those of the table, and headlines that make none.
void for_told_rows(const CompareTable& table, const std::function<void(const CompareRow&)>& tell) {
  for (const CompareRow& row : table.rows)
    if (!row.failure) tell(row);
  for (const CompareRow& row : table.quiet_headlines) tell(row);
}

bool any_verdict(const CompareTable& table, const std::function<bool(const RowVerdict&)>& wanted) {
  bool found = false;
  for_told_rows(table, [&](const CompareRow& row) {
    for (const std::optional<RowVerdict>& verdict : row.verdicts)
      found = found || (verdict && wanted(*verdict));
  });
  return found;
}

// Of what somebody set: "5", "0.1".
std::string share_text(double share) {
  return fmt::format("{:.3g}", 100 * share);
}

std::string prefix_of(const CompareTable& table, std::size_t column) {
  return table.columns.size() > 2 ? fmt::format("column {}: ", column + 1) : "";
}

// "metrics: 3 changed (false discovery rate 5 %), 120 the same, 40 not enough data".
std::string counts_note(const CompareTable& table, std::size_t column, const VerdictRule& rule) {
  const model::AnswerCounts& counts = table.columns[column].answers;
  std::string text = prefix_of(table, column) + "metrics: ";
  if (counts.changed == 0) text += "none changed";
  if (counts.changed > 0)
    text +=
        fmt::format("{} changed (false discovery rate {} %)", counts.changed, share_text(rule.report_level));
  return text + fmt::format(", {} the same, {} not enough data", counts.same, counts.unknown);
}

std::string too_few_text(const RowVerdict& verdict) {
  const bool runs = verdict.level == "process" || verdict.level == "iteration";
  const bool few = runs && std::min(verdict.base_n, verdict.n) < kFewRuns;
  std::string text = fmt::format("not enough data: {} {}", model::evidence_count(verdict),
                                 runs ? "runs" : verdict.level + "s");
  if (!std::isfinite(verdict.resolution)) return text + " tell nothing of its scatter";
  text += fmt::format(" could have shown {} %", model::percent_figure(verdict.resolution));
  if (few) return text + "; a change needs 3 a side";
  if (verdict.runs_needed && *verdict.runs_needed > std::min(verdict.base_n, verdict.n))
    return text + fmt::format(", about {} a side {} %", *verdict.runs_needed, share_text(verdict.delta));
  return verdict.runs_needed
             ? text
             : text + fmt::format("; builds scatter too much for {} %", share_text(verdict.delta));
}

// "headline: toy.speed 6607 -> 6580 (-0.4 %): the same within 1 % (99 % interval -0.7..-0.1 %)".
std::string quiet_note(const CompareRow& row) {
  std::vector<std::string> others;
  for (std::size_t column = 1; column < row.cells.size(); ++column) {
    const model::CellSummary& cell = row.cells[column];
    const std::optional<RowVerdict>& verdict = row.verdicts[column - 1];
    std::string text = cell.present ? model::figure_text(cell.average) : "-";
    if (verdict && !verdict->from_zero)
      text += fmt::format(" ({} %)", model::signed_percent(verdict->effect));
    others.push_back(text + ": " + (verdict ? unchanged_text(*verdict) : "no value on one side"));
  }
  return fmt::format("headline: {} {} -> {}", row.key,
                     row.cells[0].present ? model::figure_text(row.cells[0].average) : "-",
                     join(others, ", "));
}

std::string luck_note(bool build, bool boot, bool known) {
  const std::string what = build && boot ? "build and one boot" : build ? "build" : "boot";
  const std::string luck = build ? "the luck of its layout" : "its luck";
  return known && build
             ? fmt::format("one {} a side: what a build adds is in the intervals, by its history", what)
             : fmt::format("one {} a side: {} cannot be told from a change", what, luck);
}

// What the scale rests on.
void add_evidence_notes(const CompareTable& table, const VerdictRule& rule, std::vector<std::string>& notes) {
  const std::size_t builds = rule.history == nullptr ? 0 : rule.history->size();
  const bool tested = any_verdict(table, [](const RowVerdict&) { return true; });
  if (!tested) return;
  const bool known = any_verdict(table, [](const RowVerdict& v) { return v.history >= kBuildsForEffect; });
  const bool build = any_verdict(table, [](const RowVerdict& v) { return v.one_build; });
  const bool boot = any_verdict(table, [](const RowVerdict& v) { return v.one_boot; });
  if (builds > 0)
    notes.push_back(fmt::format("history: {} other build{} of this series", builds, builds == 1 ? "" : "s"));
  else
    notes.push_back(
        "no history: builds cannot be told from noise (in simulations 13/26 % of changes false at n=5/8)");
  if (build || boot) notes.push_back(luck_note(build, boot, known));
  for (const char* const level : {"build", "boot"})
    if (any_verdict(table, [level](const RowVerdict& v) { return v.level == level; }))
      notes.push_back(fmt::format("n counts {}s: the runs of each are one piece of evidence", level));
}

std::string named_list(std::vector<std::string> names) {
  const std::size_t all = names.size();
  names.resize(std::min(all, kNamed));
  return join(names, ", ") + (all > kNamed ? fmt::format(" and {} more", all - kNamed) : "");
}

// Names of the told rows that are so in some column.
std::vector<std::string> names_where(const CompareTable& table,
                                     const std::function<std::string(const RowVerdict&)>& what) {
  std::vector<std::string> names;
  for_told_rows(table, [&](const CompareRow& row) {
    for (const std::optional<RowVerdict>& verdict : row.verdicts)
      if (const std::string text = verdict ? what(*verdict) : ""; !text.empty()) {
        names.push_back(row.key + (text == "-" ? "" : " " + text));
        break;
      }
  });
  return names;
}

void add_shape_notes(const CompareTable& table, std::vector<std::string>& notes) {
  const std::vector<std::string> outliers = names_where(table, [](const RowVerdict& v) -> std::string {
    return v.base_flagged + v.flagged == 0
               ? ""
               : fmt::format("({}+{} of {})", v.base_flagged, v.flagged, model::evidence_count(v));
  });
  if (!outliers.empty()) notes.push_back("outliers, by the history: " + named_list(outliers));
  const std::vector<std::string> modes =
      names_where(table, [](const RowVerdict& v) -> std::string { return v.multimodal ? "-" : ""; });
  if (!modes.empty()) notes.push_back("several modes, so judged by means: " + named_list(modes));
}

// In the order of the runs.
std::vector<double> run_values(const CompareInput& input, const std::string& key) {
  std::vector<double> values;
  const model::MatrixRow* const row = input.matrix->find(key);
  if (row == nullptr) return values;
  for (const std::optional<model::Number>& value : row->values)
    if (value && std::isfinite(value->value())) values.push_back(value->value());
  return values;
}

// By which share of its level a metric wanders with every run, where that is no chance and, over all runs,
// more than what matters.
std::optional<double> drift_per_run(std::span<const double> base, std::span<const double> other,
                                    double delta) {
  std::vector<TimedSample> samples;
  for (std::size_t run = 0; run < base.size(); ++run)
    samples.push_back({.group = 0, .time = static_cast<double>(run), .value = base[run]});
  for (std::size_t run = 0; run < other.size(); ++run)
    samples.push_back({.group = 1, .time = static_cast<double>(run), .value = other[run]});
  const std::optional<Drift> drift = drift_of(samples);
  const double level = std::abs(median(base));
  if (!drift || !(level > 0) || student_t_two_sided(drift->t, drift->df) > kDriftLevel) return std::nullopt;
  const double per_run = drift->slope / level;
  const double runs = static_cast<double>(std::max(base.size(), other.size()));
  return std::abs(per_run) * runs >= delta ? std::optional(per_run) : std::nullopt;
}

// Of metrics with a direction, whose verdicts somebody acts on.
void add_drift_notes(const CompareTable& table, std::span<const CompareInput> inputs,
                     std::vector<std::string>& notes) {
  std::vector<std::string> names;
  for_told_rows(table, [&](const CompareRow& row) {
    if (row.info.direction == model::Direction::unknown && !row.info.headline) return;
    const std::vector<double> base = run_values(inputs[0], row.key);
    for (std::size_t column = 1; column < inputs.size(); ++column) {
      if (!row.verdicts[column - 1]) continue;
      const std::optional<double> drift =
          drift_per_run(base, run_values(inputs[column], row.key), row.verdicts[column - 1]->delta);
      if (!drift) continue;
      names.push_back(fmt::format("{} by {} % a run", row.key, model::signed_percent(*drift)));
      return;
    }
  });
  if (!names.empty())
    notes.push_back("drift from run to run, which only interleaved runs cancel: " + named_list(names));
}

}  // namespace

std::string unchanged_text(const RowVerdict& verdict) {
  const std::string interval = fmt::format("(99 % interval {} %)", model::interval_percent(verdict));
  if (verdict.answer == model::Answer::same)
    return fmt::format("the same within {} % {}", share_text(verdict.delta), interval);
  return too_few_text(verdict) + (std::isfinite(verdict.high) ? " " + interval : "");
}

std::vector<std::string> verdict_notes(const CompareTable& table, const KilterRule& rule,
                                       std::span<const CompareInput> inputs, const CompareOptions& options) {
  constexpr std::size_t kMostHeadlines = 10;
  std::vector<std::string> notes;
  for (std::size_t column = 1; column < table.columns.size(); ++column)
    notes.push_back(counts_note(table, column, options.verdicts));
  for (std::size_t i = 0; i < std::min(table.quiet_headlines.size(), kMostHeadlines); ++i)
    notes.push_back(quiet_note(table.quiet_headlines[i]));
  add_evidence_notes(table, options.verdicts, notes);
  add_shape_notes(table, notes);
  add_drift_notes(table, inputs, notes);
  for (std::size_t column = 1; column < table.columns.size(); ++column)
    if (const std::size_t alone = rule.one_sided(column); alone > 0 && !options.all)
      notes.push_back(fmt::format("{}{} metric{} on one side only: --all shows them",
                                  prefix_of(table, column), alone, alone == 1 ? " is" : "s are"));
  return notes;
}

}  // namespace kilter::analyse
