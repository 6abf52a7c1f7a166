#pragma once

#include "model/history.h"
#include "report/history_plot.h"

#include <span>
#include <string>

namespace kilter::report {

// A history for a terminal: what it is, the plot, its changes newest first with their intervals, commits and
// what to do next, suspects apart, splits, notes.
[[nodiscard]] std::string history_text(const model::MetricHistory& history,
                                       const HistoryPlotOptions& options = {});
// Many histories, a line each.
[[nodiscard]] std::string history_list_text(std::span<const model::MetricHistory> histories);
// The changes of a database, two lines each.
[[nodiscard]] std::string found_changes_text(const model::FoundChanges& found, bool colour);

// "-5.6 % regression"
[[nodiscard]] std::string effect_text(const model::HistoryChange& change);
// "99 %: -6.1 .. -5.1 %"; "" when nothing is known of it.
[[nodiscard]] std::string interval_text(const model::HistoryChange& change);

}  // namespace kilter::report
