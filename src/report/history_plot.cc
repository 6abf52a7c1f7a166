#include "report/history_plot.h"

#include "base/civil_time.h"
#include "base/text.h"
#include "model/axes.h"
#include "report/axis.h"
#include "report/canvas.h"
#include "report/clean.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace kilter::report {
namespace {

using model::HistoryChange;
using model::HistoryLevel;
using model::HistoryPoint;
using model::MetricHistory;

constexpr int kPlotRows = 14;
constexpr int kMarkRow = 0;  // of the changes' letters
constexpr int kTopRow = 1;
constexpr int kAxisRow = kTopRow + kPlotRows;
constexpr int kCommitRow = kAxisRow + 1;
constexpr int kDateRow = kAxisRow + 2;
constexpr int kRows = kDateRow + 1;
constexpr int kGapColumns = 3;
constexpr std::size_t kTicks = 4;
constexpr std::size_t kCommitDigits = 8;
constexpr std::size_t kCommitWidth = 14;

struct Signs {
  std::string_view axis, corner, tick, axis_tick, level, change, suspect, above, below, point;
};
constexpr Signs kFine = {"─", "└", "┤", "┬", "─", "│", "┊", "▲", "▼", ""};
constexpr Signs kAscii = {"-", "+", "+", "+", "-", "|", ":", "^", "v", "o"};

std::vector<double> values_in(const MetricHistory& history) {
  std::vector<double> values;
  for (const HistoryPoint& point : history.points) values.push_back(point.value);
  return values;
}

std::vector<double> level_values(const MetricHistory& history) {
  std::vector<double> values;
  for (const HistoryLevel& level : history.levels) values.push_back(level.value);
  return values;
}

class HistoryDrawing {
 public:
  HistoryDrawing(const MetricHistory& history, const HistoryPlotOptions& options)
      : history_(history),
        options_(options),
        signs_(options.unicode ? kFine : kAscii),
        range_(value_range(values_in(history), level_values(history))),
        ticks_(axis_ticks(range_, kTicks)),
        labels_(axis_labels(ticks_)),
        left_(label_width() + 2),
        columns_(std::max(options.width - left_ - 1, 10)),
        axis_(history.points.size(), model::split_places(history),
              static_cast<double>(kGapColumns) / static_cast<double>(columns_)),
        canvas_(left_ + columns_ + 1, kRows) {}

  std::string draw() {
    draw_axes();
    draw_points();
    draw_levels();
    for (std::size_t i = 0; i < history_.changes.size(); ++i) draw_change(i);
    draw_commits();
    draw_dates();
    return canvas_.print(options_.colour);
  }

 private:
  [[nodiscard]] int label_width() const {
    std::size_t widest = 0;
    for (const std::string& label : labels_) widest = std::max(widest, display_width(label));
    return static_cast<int>(widest);
  }
  // In parts of the plot's height from above.
  [[nodiscard]] double depth(double value) const {
    return (range_.high - value) / (range_.high - range_.low);
  }
  [[nodiscard]] int row(double value) const {
    const int row = static_cast<int>(std::clamp(depth(value), -1.0, 2.0) * kPlotRows);
    return kTopRow + std::clamp(row, 0, kPlotRows - 1);
  }
  [[nodiscard]] int column(double x) const {
    return left_ + std::clamp(static_cast<int>(x * columns_), 0, columns_ - 1);
  }

  void draw_axes() {
    for (int row = kTopRow; row < kAxisRow; ++row)
      canvas_.put(left_ - 1, row, options_.unicode ? "│" : "|", Ink::dim);
    for (std::size_t i = 0; i < ticks_.size(); ++i) {
      canvas_.text(left_ - 1 - static_cast<int>(display_width(labels_[i])), row(ticks_[i]), labels_[i],
                   Ink::dim);
      canvas_.put(left_ - 1, row(ticks_[i]), signs_.tick, Ink::dim);
    }
    canvas_.put(left_ - 1, kAxisRow, signs_.corner, Ink::dim);
    for (std::size_t i = 0; i < history_.points.size(); ++i) {
      const int end = column(axis_.edge_after(i) - 1e-9);
      for (int at = column(axis_.edge_before(i)); at <= end; ++at)
        canvas_.put(at, kAxisRow, signs_.axis, Ink::dim);
    }
  }

  void draw_point(std::size_t i) {
    const double value = history_.points[i].value;
    const double x = axis_.middle_of(i);
    if (depth(value) < 0 || depth(value) > 1)
      return canvas_.put(column(x), row(value), depth(value) < 0 ? signs_.above : signs_.below);
    if (!options_.unicode) return canvas_.put(column(x), row(value), signs_.point);
    const int dot_x = 2 * left_ + static_cast<int>(x * 2 * columns_);
    const int dot_y =
        4 * kTopRow + std::min(static_cast<int>(depth(value) * 4 * kPlotRows), 4 * kPlotRows - 1);
    canvas_.dot(dot_x, dot_y);
    if (history_.points.size() > static_cast<std::size_t>(columns_)) return;
    // Few points: fat ones.
    const int low = std::min(dot_y + 1, 4 * kAxisRow - 1);
    canvas_.dot(dot_x ^ 1, dot_y);
    canvas_.dot(dot_x, low);
    canvas_.dot(dot_x ^ 1, low);
  }

  void draw_points() {
    for (std::size_t i = 0; i < history_.points.size(); ++i) draw_point(i);
  }

  void draw_levels() {
    for (const HistoryLevel& level : history_.levels) {
      const int end = column(axis_.edge_after(level.end - 1) - 1e-9);
      for (int at = column(axis_.edge_before(level.begin)); at <= end; ++at)
        if (canvas_.is_free(at, row(level.value))) canvas_.put(at, row(level.value), signs_.level, Ink::line);
    }
  }

  void draw_change(std::size_t number) {
    const HistoryChange& change = history_.changes[number];
    const int at = column(axis_.edge_before(change.index));
    const std::string_view sign = change.confirmed ? signs_.change : signs_.suspect;
    for (int row = kTopRow; row < kAxisRow; ++row)
      if (canvas_.is_free(at, row)) canvas_.put(at, row, sign, change_ink(change));
    place(kMarkRow, at, history_mark(history_, number), change_ink(change));
  }

  // Centred at the column, where nothing stands there yet.
  bool place(int row, int at, const std::string& text, Ink ink = Ink::plain) {
    const int width = static_cast<int>(display_width(text));
    const int begin = std::clamp(at - width / 2, 0, std::max(left_ + columns_ + 1 - width, 0));
    for (int i = begin - 1; i <= begin + width; ++i)
      if (i >= 0 && i <= left_ + columns_ && !canvas_.is_free(i, row)) return false;
    canvas_.text(begin, row, text, ink);
    return true;
  }

  void place_commit(std::size_t point, Ink ink = Ink::plain) {
    const int at = column(axis_.middle_of(point));
    if (place(kCommitRow, at, commit_mark(history_.points[point].commit), ink))
      canvas_.put(at, kAxisRow, signs_.axis_tick, Ink::dim);
  }

  void draw_commits() {
    for (std::size_t i = history_.changes.size(); i-- > 0;) place_commit(history_.changes[i].index);
    for (const model::HistorySplit& split : history_.splits) place_commit(split.index);
    place_commit(history_.points.size() - 1);
    place_commit(0);
    for (const std::size_t part : {4U, 2U, 6U, 1U, 3U, 5U, 7U})
      place_commit(std::min(history_.points.size() * part / 8, history_.points.size() - 1));
  }

  void draw_dates() {
    const double first = history_.points.front().started;
    const double last = history_.points.back().started;
    if (last > 0) place(kDateRow, left_ + columns_, utc_date(last), Ink::dim);
    if (first > 0) place(kDateRow, left_, utc_date(first), Ink::dim);
  }

  const MetricHistory& history_;
  HistoryPlotOptions options_;
  const Signs& signs_;
  AxisRange range_;
  std::vector<double> ticks_;
  std::vector<std::string> labels_;
  int left_;  // the first column of the plot
  int columns_;
  PointAxis axis_;
  Canvas canvas_;
};

}  // namespace

Ink change_ink(const HistoryChange& change) {
  if (!change.confirmed) return Ink::doubt;
  const std::string verdict = change_verdict(change);
  return verdict == "regression" ? Ink::worse : verdict == "improvement" ? Ink::better : Ink::line;
}

std::string history_plot(const MetricHistory& history, const HistoryPlotOptions& options) {
  return history.points.empty() ? "" : HistoryDrawing(history, options).draw();
}

std::string history_mark(const MetricHistory& history, std::size_t change) {
  constexpr std::size_t kLetters = 26;
  std::string mark;
  for (std::size_t rest = change + 1; rest > 0; rest = (rest - 1) / kLetters)
    mark.insert(mark.begin(), static_cast<char>('A' + (rest - 1) % kLetters));
  return history.changes[change].confirmed ? mark : mark + "?";
}

std::string commit_mark(const std::string& commit) {
  return one_line(model::short_commit(commit, kCommitDigits), kCommitWidth);
}

}  // namespace kilter::report
