#include "report/history_svg.h"

#include "base/civil_time.h"
#include "base/text.h"
#include "model/report_types.h"
#include "report/axis.h"
#include "report/clean.h"
#include "report/history_text.h"
#include "report/table_html.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace kilter::report {
namespace {

using model::HistoryChange;
using model::HistoryLevel;
using model::HistoryPoint;
using model::MetricHistory;

constexpr double kSvgWidth = 960;
constexpr double kPanelHeight = 400;
constexpr double kSvgLeft = 72;
constexpr double kSvgRight = kSvgWidth - 24;
constexpr double kSvgTop = 92;
constexpr double kSvgBottom = kPanelHeight - 62;
constexpr double kSplitGap = .035;        // of the plot's width
constexpr std::size_t kMostDrawn = 3000;  // points; of more the highest and the lowest in each pixel
constexpr std::size_t kMostRunDots = 6000;
constexpr std::size_t kSvgTicks = 6;
constexpr double kLabelRoom = 74;       // of a commit's label
constexpr std::size_t kLongTitle = 90;  // characters

constexpr std::string_view kSvgStyle =
    "<style>\n"
    "text{font:12px system-ui,-apple-system,'Segoe UI','DejaVu Sans',sans-serif;fill:#5b6470}\n"
    ".title{font-size:17px;font-weight:600;fill:#1b2430}\n"
    ".grid{stroke:#e8ebef}\n"
    ".axis{stroke:#9aa3ad}\n"
    ".band{fill:#3d7ab8;opacity:.11}\n"
    ".level{stroke:#2b6298;stroke-width:2;fill:none}\n"
    ".run{fill:#3d7ab8;opacity:.28}\n"
    ".point{fill:#2f6fb0}\n"
    ".gap{fill:#f1f3f5}\n"
    ".change{stroke-width:1.4}\n"
    ".suspect{stroke-dasharray:4 4}\n"
    ".regression{stroke:#c62f3c;fill:#c62f3c}\n"
    ".improvement{stroke:#1c8a4b;fill:#1c8a4b}\n"
    ".neutral{stroke:#2b6298;fill:#2b6298}\n"
    ".doubt{stroke:#b7791f;fill:#b7791f}\n"
    ".pill{stroke:none}\n"
    ".mark{fill:#fff;font-weight:600;stroke:none}\n"
    ".commit{font-family:ui-monospace,'DejaVu Sans Mono',monospace;font-size:11px}\n"
    "</style>\n";

std::string_view change_class(const HistoryChange& change) {
  if (!change.confirmed) return "doubt";
  const std::string verdict = change_verdict(change);
  return verdict == "regression" ? "regression" : verdict == "improvement" ? "improvement" : "neutral";
}

std::string svg_text(double x, double y, std::string_view attributes, std::string_view text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\"{}>{}</text>\n", x, y, attributes, html_escaped(text));
}

std::string svg_line(double x1, double y1, double x2, double y2, std::string_view name) {
  return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" class=\"{}\"/>\n", x1, y1,
                     x2, y2, name);
}

std::vector<double> all_values(const MetricHistory& history) {
  std::vector<double> values;
  for (const HistoryPoint& point : history.points) values.push_back(point.value);
  return values;
}

// The levels with what most points about them reach.
std::vector<double> all_levels(const MetricHistory& history) {
  std::vector<double> values;
  for (const HistoryLevel& level : history.levels)
    for (const double value : {level.low, level.value, level.high}) values.push_back(value);
  return values;
}

class SvgPanel {
 public:
  SvgPanel(const MetricHistory& history, double offset)
      : history_(history),
        offset_(offset),
        range_(value_range(all_values(history), all_levels(history))),
        axis_(history.points.size(), model::split_places(history), kSplitGap) {}

  std::string draw() {
    draw_titles();
    if (history_.points.empty()) {
      text_ += svg_text(kSvgLeft, offset_ + kSvgTop + 20, "", "no run has a number for it");
      return std::move(text_);
    }
    draw_grid();
    draw_gaps();
    for (const HistoryLevel& level : history_.levels) draw_band(level);
    draw_runs();
    draw_points();
    for (const HistoryLevel& level : history_.levels) draw_level(level);
    for (std::size_t i = 0; i < history_.changes.size(); ++i) draw_change(i);
    draw_commits();
    return std::move(text_);
  }

 private:
  [[nodiscard]] double x(double part) const { return kSvgLeft + part * (kSvgRight - kSvgLeft); }
  [[nodiscard]] double y(double value) const {
    const double part = (range_.high - value) / (range_.high - range_.low);
    return offset_ + kSvgTop + std::clamp(part, 0.0, 1.0) * (kSvgBottom - kSvgTop);
  }

  void draw_titles() {
    std::string title = history_.key;
    if (!history_.info.unit.empty()) title += " [" + history_.info.unit + "]";
    if (history_.info.direction == model::Direction::higher_better) title += ", higher is better";
    if (history_.info.direction == model::Direction::lower_better) title += ", lower is better";
    text_ += svg_text(24, offset_ + 30, " class=\"title\"", one_line(title, kLongTitle));
    std::string line = history_.project.empty() ? "" : history_.project + ": ";
    line += fmt::format("{} commit{} ", history_.points.size(), history_.points.size() == 1 ? "" : "s");
    line += history_.line.empty() ? "in the order of time" : "along " + history_.line;
    line += " \u00b7 " + model::axes_key(history_.axes);
    text_ += svg_text(24, offset_ + 50, "", one_line(line, kLongTitle + 50));
  }

  void draw_grid() {
    const std::vector<double> ticks = axis_ticks(range_, kSvgTicks);
    const std::vector<std::string> labels = axis_labels(ticks);
    for (std::size_t i = 0; i < ticks.size(); ++i) {
      text_ += svg_line(kSvgLeft, y(ticks[i]), kSvgRight, y(ticks[i]), "grid");
      text_ += svg_text(kSvgLeft - 8, y(ticks[i]) + 4, " text-anchor=\"end\"", labels[i]);
    }
    const double bottom = offset_ + kSvgBottom;
    text_ += svg_line(kSvgLeft, bottom, kSvgRight, bottom, "axis");
  }

  void draw_gaps() {
    for (const model::HistorySplit& split : history_.splits) {
      const double left = x(axis_.edge_after(split.index - 1));
      const double right = x(axis_.edge_before(split.index));
      text_ += fmt::format(
          "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" "
          "class=\"gap\"><title>{}</title></rect>\n",
          left, offset_ + kSvgTop, right - left, kSvgBottom - kSvgTop + 1, html_escaped(split.why));
      const double middle = (left + right) / 2;
      const double half = offset_ + (kSvgTop + kSvgBottom) / 2;
      text_ +=
          svg_text(middle, half,
                   fmt::format(" text-anchor=\"middle\" transform=\"rotate(-90 {:.1f} {:.1f})\" dy=\"4\"",
                               middle, half),
                   one_line(split.why, 44));
    }
  }

  void draw_band(const HistoryLevel& level) {
    const double left = x(axis_.edge_before(level.begin));
    const double top = y(level.high);
    text_ +=
        fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" class=\"band\"/>\n",
                    left, top, x(axis_.edge_after(level.end - 1)) - left, y(level.low) - top);
  }

  void draw_level(const HistoryLevel& level) {
    text_ += svg_line(x(axis_.edge_before(level.begin)), y(level.value), x(axis_.edge_after(level.end - 1)),
                      y(level.value), "level");
  }

  [[nodiscard]] double radius() const {
    const double room = (kSvgRight - kSvgLeft) / static_cast<double>(history_.points.size());
    return std::clamp(room * .32, 1.3, 4.0);
  }

  void draw_runs() {
    std::size_t runs = 0;
    for (const HistoryPoint& point : history_.points) runs += point.runs.size();
    if (runs > kMostRunDots) return;
    for (std::size_t i = 0; i < history_.points.size(); ++i) {
      if (history_.points[i].runs.size() < 2) continue;
      for (const double run : history_.points[i].runs)
        if (run >= range_.low && run <= range_.high)
          text_ += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" class=\"run\"/>\n",
                               x(axis_.middle_of(i)), y(run), radius() * .7);
    }
  }

  // Of those in one pixel's width the lowest and the highest.
  [[nodiscard]] std::vector<std::size_t> drawn_points() const {
    std::vector<std::size_t> drawn;
    const std::size_t all = history_.points.size();
    const std::size_t stride = all > kMostDrawn ? all * 2 / kMostDrawn + 1 : 1;
    for (std::size_t begin = 0; begin < all; begin += stride) {
      const std::span<const HistoryPoint> part =
          std::span(history_.points).subspan(begin, std::min(stride, all - begin));
      const auto [low, high] = std::ranges::minmax_element(part, {}, &HistoryPoint::value);
      drawn.push_back(begin + static_cast<std::size_t>(low - part.begin()));
      if (low != high) drawn.push_back(begin + static_cast<std::size_t>(high - part.begin()));
    }
    return drawn;
  }

  void draw_points() {
    for (const std::size_t i : drawn_points()) {
      const HistoryPoint& point = history_.points[i];
      if (!std::isfinite(point.value)) continue;
      const std::string subject = point.subject.empty() ? "" : " " + one_line(point.subject, 100);
      const std::string date = point.started > 0 ? ", " + utc_date(point.started) : "";
      text_ += fmt::format(
          "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" class=\"point\"><title>{}{}\n{}, "
          "n={}{}</title></circle>\n",
          x(axis_.middle_of(i)), y(point.value), radius(), html_escaped(model::short_commit(point.commit)),
          html_escaped(subject), model::figure_text(point.value), point.runs.size(), date);
    }
  }

  void draw_change(std::size_t number) {
    const HistoryChange& change = history_.changes[number];
    const double at = x(axis_.edge_before(change.index));
    const std::string_view colour = change_class(change);
    const double top = offset_ + kSvgTop;
    text_ += svg_line(at, top - 8, at, offset_ + kSvgBottom,
                      fmt::format("change {}{}", colour, change.confirmed ? "" : " suspect"));
    std::string effect = effect_text(change);
    effect.resize(std::min(effect.find(" %"), effect.size()));
    const std::string label = history_mark(history_, number) + "  " + effect + " %";
    const double width = 7.3 * static_cast<double>(label.size()) + 12;
    // Beside the one before where they would cover each other.
    const double left = std::clamp(at - width / 2, kSvgLeft - 20, kSvgRight + 20 - width);
    const bool covered = left < pills_end_;
    const double row = covered && !raised_ ? top - 44 : top - 24;
    raised_ = covered && !raised_;
    pills_end_ = std::max(pills_end_, left + width + 4);
    const std::string why = interval_text(change);
    text_ += fmt::format(
        "<g><title>{}</title><rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"18\" rx=\"9\" "
        "class=\"pill {}\"/>\n",
        html_escaped(effect_text(change) + (why.empty() ? "" : " (" + why + ")")), left, row, width, colour);
    text_ += svg_text(left + width / 2, row + 13, " text-anchor=\"middle\" class=\"mark\"", label) + "</g>\n";
  }

  void place_commit(std::size_t point) {
    const double at = x(axis_.middle_of(point));
    const auto near = [at](double other) { return std::abs(other - at) < kLabelRoom; };
    if (std::ranges::any_of(labelled_, near)) return;
    labelled_.push_back(at);
    const double bottom = offset_ + kSvgBottom;
    text_ += svg_line(at, bottom, at, bottom + 5, "axis");
    text_ += svg_text(at, bottom + 19, " text-anchor=\"middle\" class=\"commit\"",
                      commit_mark(history_.points[point].commit));
    if (history_.points[point].started > 0)
      text_ += svg_text(at, bottom + 34, " text-anchor=\"middle\" style=\"font-size:10px\"",
                        utc_date(history_.points[point].started));
  }

  void draw_commits() {
    for (std::size_t i = history_.changes.size(); i-- > 0;) place_commit(history_.changes[i].index);
    const std::size_t last = history_.points.size() - 1;
    place_commit(last);
    place_commit(0);
    for (const model::HistorySplit& split : history_.splits) place_commit(split.index);
    for (const std::size_t part : {4U, 2U, 6U, 1U, 3U, 5U, 7U}) place_commit(last * part / 8);
  }

  const MetricHistory& history_;
  double offset_;
  AxisRange range_;
  PointAxis axis_;
  std::string text_;
  double pills_end_ = 0;
  bool raised_ = false;
  std::vector<double> labelled_;
};

}  // namespace

std::string history_svg(std::span<const MetricHistory> histories) {
  const double height = kPanelHeight * static_cast<double>(std::max<std::size_t>(histories.size(), 1));
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "viewBox=\"0 0 {0:.0f} {1:.0f}\">\n",
      kSvgWidth, height);
  svg += kSvgStyle;
  svg += "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n";
  double offset = 0;
  for (const MetricHistory& history : histories) {
    svg += SvgPanel(history, offset).draw();
    offset += kPanelHeight;
  }
  return svg + "</svg>\n";
}

}  // namespace kilter::report
