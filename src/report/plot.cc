#include "report/plot.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <vector>

// The layout rules are those of lines 1 to 6 below; they were found by comparing plots, not taken from
// gnuplot.
//   1. the y range is widened to whole tic steps, the x range is 1 .. longest series
//   2. title in row 2, frame from row 3 to row 17, its left side right of the labels, its right side in
//   column 76
//   3. positions are rounded half up
//   4. drawn in this order, later over earlier: labels and tics, bad samples, good lines, good samples, frame
//   5. a line steps along its longer side: ':' when that is up or down, '.' when it is sideways, '+' when
//   both
//   6. every row has 80 characters
namespace kilter::report {
namespace {

constexpr int kWidth = 80;
constexpr int kHeight = 20;
constexpr int kTitleRow = 2;
constexpr int kTop = 3;
constexpr int kBottom = 17;
constexpr int kRight = 76;

struct Range {
  double low = 0;
  double high = 0;
};

struct Cell {
  int row = 0;
  int column = 0;
};

double tic_step(double range) {
  struct Rule {
    double above;  // tics that steps of one power of ten would leave room for
    double step;
  };
  constexpr std::array<Rule, 6> kRules = {{{40, .05}, {20, .1}, {10, .2}, {4, .5}, {1, 1}, {.5, 2}}};
  const double power = std::pow(10, std::floor(std::log10(range)));
  const double room = 20 / (range / power);
  for (const Rule& rule : kRules)
    if (room > rule.above) return rule.step * power;
  return std::ceil(range / power) * power;
}

// An empty range is widened as gnuplot does: by a hundredth of the value, or to -1 .. 1.
Range widened(Range range) {
  if (range.high > range.low) return range;
  const double by = range.low == 0 ? 1 : std::abs(range.low) * 0.01;
  return {range.low - by, range.high + by};
}

// Also of what overflowed on its way here: the canvas drops what lies outside.
int half_up(double value) {
  if (std::isnan(value)) return 0;
  return static_cast<int>(std::floor(std::clamp(value, -1e6, 1e6) + 0.5));
}

class AsciiCanvas {
 public:
  AsciiCanvas() : rows_(kHeight, std::string(kWidth, ' ')) {}

  void put(Cell cell, char sign) {
    if (cell.row >= 0 && cell.row < kHeight && cell.column >= 0 && cell.column < kWidth)
      rows_[static_cast<std::size_t>(cell.row)][static_cast<std::size_t>(cell.column)] = sign;
  }
  void text(Cell start, std::string_view text) {
    for (const char c : text) {
      put(start, c);
      ++start.column;
    }
  }
  [[nodiscard]] char at(Cell cell) const {
    if (cell.row < 0 || cell.row >= kHeight || cell.column < 0 || cell.column >= kWidth) return ' ';
    return rows_[static_cast<std::size_t>(cell.row)][static_cast<std::size_t>(cell.column)];
  }
  void line(Cell from, Cell to);
  void frame(int left);
  [[nodiscard]] std::string text() const {
    std::string text;
    for (const std::string& row : rows_) text += text.empty() ? row : "\n" + row;
    return text;
  }

 private:
  std::vector<std::string> rows_;
};

void AsciiCanvas::line(Cell from, Cell to) {
  const int down = to.row - from.row;
  const int right = to.column - from.column;
  const int steps = std::max(std::abs(down), std::abs(right));
  const char sign = std::abs(down) > std::abs(right) ? ':' : std::abs(down) == std::abs(right) ? '+' : '.';
  for (int i = 0; i <= steps && steps > 0; ++i) {
    const double part = static_cast<double>(i) / steps;
    put({from.row + static_cast<int>(std::round(down * part)),
         from.column + static_cast<int>(std::round(right * part))},
        sign);
  }
}

void AsciiCanvas::frame(int left) {
  for (int row = kTop; row <= kBottom; ++row)
    for (const int column : {left, kRight}) put({row, column}, '|');
  for (const int row : {kTop, kBottom})
    for (int column = left; column <= kRight; ++column)
      put({row, column}, column == left || column == kRight ? '+' : '-');
}

struct Axis {
  Range range;
  double step = 1;
  std::vector<std::string> labels;  // of the tics, from below

  [[nodiscard]] double tic(std::size_t i) const { return range.low + static_cast<double>(i) * step; }
};

std::string label_of(double value, double step) {
  if (std::abs(value) < step * 1e-9) value = 0;
  return fmt::format("{: g}", value);
}

// One step more where the outermost sample would lie under the frame.
Range with_margin(Range range, Range samples, double step) {
  const double row = (range.high - range.low) / (kBottom - kTop);
  if (samples.low - range.low < row) range.low -= step;
  if (range.high - samples.high < row) range.high += step;
  return range;
}

Axis y_axis(std::span<const double> bad, std::span<const double> good, PlotStyle style) {
  Range range{std::numeric_limits<double>::max(), std::numeric_limits<double>::lowest()};
  for (const std::span<const double> series : {bad, good})
    for (const double value : series) {
      range.low = std::min(range.low, value);
      range.high = std::max(range.high, value);
    }
  range = widened(range);
  Axis axis;
  axis.step = tic_step(range.high - range.low);
  axis.range = {std::floor(range.low / axis.step) * axis.step, std::ceil(range.high / axis.step) * axis.step};
  if (style == PlotStyle::kilter) axis.range = with_margin(axis.range, range, axis.step);
  const int tics = half_up((axis.range.high - axis.range.low) / axis.step);
  for (int i = 0; i <= std::min(tics, 50); ++i)
    axis.labels.push_back(label_of(axis.tic(static_cast<std::size_t>(i)), axis.step));
  return axis;
}

constexpr int kInset = 3;  // columns between the frame and the outermost samples, beside the tic marks

struct Frame {
  int left = 0;
  Range x;
  Range y;
  int inset = 0;

  [[nodiscard]] int row(double value) const {
    return kBottom - half_up((value - y.low) / (y.high - y.low) * (kBottom - kTop));
  }
  [[nodiscard]] Cell cell(std::size_t sample, double value) const {
    const double part = (static_cast<double>(sample) + 1 - x.low) / (x.high - x.low);
    return {row(value), left + inset + half_up(part * (kRight - left - 2 * inset))};
  }
};

void draw_labels(AsciiCanvas& canvas, const Axis& axis, const Frame& frame) {
  for (std::size_t i = 0; i < axis.labels.size(); ++i) {
    const int row = frame.row(axis.tic(i));
    canvas.text({row, frame.left - 1 - static_cast<int>(axis.labels[i].size())}, axis.labels[i]);
    canvas.text({row, frame.left + 1}, "-+");
  }
}

void draw_bad(AsciiCanvas& canvas, const Frame& frame, const std::vector<double>& bad) {
  for (std::size_t i = 0; i < bad.size(); ++i) {
    const Cell cell = frame.cell(i, bad[i]);
    canvas.put(cell, frame.inset > 0 && canvas.at(cell) == '+' ? '@' : 'O');
  }
}

void draw_good(AsciiCanvas& canvas, const Frame& frame, const std::vector<double>& good) {
  for (std::size_t i = 1; i < good.size(); ++i)
    canvas.line(frame.cell(i - 1, good[i - 1]), frame.cell(i, good[i]));
  for (std::size_t i = 0; i < good.size(); ++i) canvas.put(frame.cell(i, good[i]), '+');
}

std::string safe_title(std::string_view title) {
  std::string safe(title.substr(0, 60));
  constexpr std::string_view kKept = "_.:+=-";
  for (char& c : safe) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!letter && kKept.find(c) == std::string_view::npos) c = '_';
  }
  return safe;
}

std::vector<double> finite(std::span<const double> values) {
  std::vector<double> kept;
  for (const double value : values)
    if (std::isfinite(value)) kept.push_back(value);
  return kept;
}

}  // namespace

std::string ascii_plot(std::string_view title, std::span<const double> all_bad,
                       std::span<const double> all_good, PlotStyle style) {
  const std::vector<double> bad = finite(all_bad);
  const std::vector<double> good = finite(all_good);
  if (bad.empty() && good.empty()) return "";
  const Axis axis = y_axis(bad, good, style);
  std::size_t widest = 0;
  for (const std::string& label : axis.labels) widest = std::max(widest, label.size());
  const double longest = static_cast<double>(std::max(bad.size(), good.size()));
  const Frame frame{.left = static_cast<int>(widest) + 2,
                    .x = widened({1, longest}),
                    .y = axis.range,
                    .inset = style == PlotStyle::lkp ? 0 : kInset};

  AsciiCanvas canvas;
  const std::string shown = safe_title(title);
  canvas.text({kTitleRow, (frame.left + kRight) / 2 - static_cast<int>(shown.size()) / 2}, shown);
  draw_labels(canvas, axis, frame);
  if (style == PlotStyle::lkp) draw_bad(canvas, frame, bad);
  draw_good(canvas, frame, good);
  if (style == PlotStyle::kilter) draw_bad(canvas, frame, bad);
  canvas.frame(frame.left);
  return canvas.text();
}

std::string plot_legend(PlotStyle style) {
  return style == PlotStyle::lkp ? "[*] bisect-good sample\n[O] bisect-bad  sample\n"
                                 : "[+] good sample\n[O] bad  sample  ([@] both)\n";
}

}  // namespace kilter::report
