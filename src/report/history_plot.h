#pragma once

#include "model/history.h"
#include "report/canvas.h"

#include <string>

namespace kilter::report {

struct HistoryPlotOptions {
  int width = 80;       // columns in all
  bool unicode = true;  // Braille and lines; else plain ASCII
  bool colour = false;
};

// A history as a terminal shows it: points, levels as lines, changes with their letters (history_mark()),
// gaps where machines are unlike, values on the left, commits below. "" without points.
[[nodiscard]] std::string history_plot(const model::MetricHistory& history,
                                       const HistoryPlotOptions& options = {});

// The letter of change number `change`: "A", "B", ... "Z", "AA"; of a suspect with a question mark.
[[nodiscard]] std::string history_mark(const model::MetricHistory& history, std::size_t change);
[[nodiscard]] Ink change_ink(const model::HistoryChange& change);
// A commit as axes of plots name it: the first digits of a sha, else the beginning of the name.
[[nodiscard]] std::string commit_mark(const std::string& commit);

}  // namespace kilter::report
