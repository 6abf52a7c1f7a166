#include "report/history_text.h"

#include "base/civil_time.h"
#include "base/text.h"
#include "model/report_types.h"
#include "report/canvas.h"
#include "report/clean.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace kilter::report {
namespace {

using model::FoundChange;
using model::FoundChanges;
using model::HistoryChange;
using model::HistoryPoint;
using model::MetricHistory;

constexpr std::size_t kLongestSubject = 60;
constexpr std::size_t kLongestName = 300;

std::string plural(std::size_t count, const std::string& noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string percent(double part) {
  const double size = std::abs(part) * 100;
  if (!std::isfinite(size) || size >= 1e6) return part < 0 ? "-inf" : "+inf";
  return fmt::format("{:+.{}f}", part * 100, size < .995 ? 2 : size < 99.5 ? 1 : 0);
}

std::string shown_commit(const std::string& commit) {
  return one_line(model::short_commit(commit), kLongestName);
}

std::string quoted_subject(const std::string& subject) {
  return subject.empty() ? "" : fmt::format(" (\"{}\")", one_line(subject, kLongestSubject));
}

std::string date_text(double seconds) {
  return seconds > 0 ? utc_date(seconds) : "-";
}

std::string axes_text(const model::Axes& axes) {
  return one_line(model::axes_key(axes), kLongestName);
}

std::string title_text(const MetricHistory& history) {
  std::string text = one_line(history.key, kLongestName);
  if (!history.info.unit.empty()) text += " [" + one_line(history.info.unit, kLongestName) + "]";
  if (history.info.direction == model::Direction::higher_better) text += ", higher is better";
  if (history.info.direction == model::Direction::lower_better) text += ", lower is better";
  text += "\n" + axes_text(history.axes) + "\n";
  std::size_t runs = 0;
  double first = 0;
  double last = 0;
  for (const HistoryPoint& point : history.points) {
    runs += point.runs.size();
    last = std::max(last, point.started);
    if (point.started > 0 && (first == 0 || point.started < first)) first = point.started;
  }
  if (!history.project.empty()) text += one_line(history.project, kLongestName) + ": ";
  text += plural(history.points.size(), "commit");
  text += history.line.empty() ? " in the order of time" : " along " + one_line(history.line, kLongestName);
  text += ", " + plural(runs, "run");
  if (last > 0) text += ", " + date_text(first) + " to " + date_text(last);
  return text + "\n";
}

std::string where_text(const HistoryChange& change, const HistoryPoint& last, const HistoryPoint& first) {
  const std::string from = shown_commit(last.commit);
  const std::string to = shown_commit(first.commit);
  if (change.untested == 0) return to + quoted_subject(first.subject) + "\nright after " + from;
  std::string text = fmt::format("{} .. {}{}", from, to, quoted_subject(first.subject));
  if (change.untested > 0)
    text +=
        fmt::format("\none of {} commits: {} untested between them", change.untested + 1, change.untested);
  return text;
}

std::string option(const std::string& name, const std::string& value) {
  return value.empty() ? "" : " " + name + " " + shell_quote(one_line(value, kLongestName));
}

std::string next_step(const MetricHistory& history, const HistoryChange& change, const HistoryPoint& last,
                      const HistoryPoint& first) {
  const std::string from = shell_quote(shown_commit(last.commit));
  const std::string to = shell_quote(shown_commit(first.commit));
  const std::string project = option("-p", history.project);
  if (history.project.empty()) return fmt::format("kilter compare {} {}", from, to);
  if (!change.confirmed) return fmt::format("kilter run{} --rev {} --rev {} --runs 5", project, from, to);
  if (change.untested == 0) return fmt::format("kilter report{} {} {}", project, from, to);
  return fmt::format("kilter bisect{} --good {} --bad {}{}", project, from, to,
                     option("--metric", history.key));
}

std::string one_change_text(const MetricHistory& history, std::size_t number, bool colour) {
  const HistoryChange& change = history.changes[number];
  const HistoryPoint& last = history.points[change.index - 1];
  const HistoryPoint& first = history.points[change.index];
  const std::string mark = fmt::format("{:<3}", history_mark(history, number));
  const std::string interval = interval_text(change);
  std::string details;
  if (!interval.empty()) details += " (" + interval + ")";
  details += fmt::format("  {} -> {}", model::figure_text(change.before), model::figure_text(change.after));
  std::string text = "  " + inked(mark, change_ink(change), colour) + " " + date_text(first.started) + "  " +
                     inked(effect_text(change), change_ink(change), colour) + details + "\n";
  const std::string where = where_text(change, last, first);
  for (const std::string_view line : lines(where)) text += fmt::format("      {}\n", line);
  text += fmt::format("      n = {}+{} commits, {}+{} runs\n", change.points_before, change.points_after,
                      change.runs_before, change.runs_after);
  if (change.same_build)
    text += "      both are one and the same program, byte for byte: the commit is not the cause\n";
  return text + "      next: " + next_step(history, change, last, first) + "\n";
}

std::string changes_text(const MetricHistory& history, bool confirmed, bool colour) {
  std::string text;
  for (std::size_t i = history.changes.size(); i-- > 0;)
    if (history.changes[i].confirmed == confirmed) text += one_change_text(history, i, colour);
  if (text.empty()) return "";
  return (confirmed ? "changes, newest first:\n" : "suspects, which more runs would confirm or clear:\n") +
         text;
}

std::string no_change_text(const MetricHistory& history) {
  if (history.points.empty()) return "no run has a number for it\n";
  if (history.levels.size() > 1 || history.points.size() < 2) return "no change\n";
  const model::HistoryLevel& level = history.levels.front();
  const std::string middle = model::figure_text(level.value);
  if (!(level.high > level.low)) return fmt::format("no change: {} throughout\n", middle);
  return fmt::format("no change: {}, nine of ten commits within {} .. {}\n", middle,
                     model::figure_text(level.low), model::figure_text(level.high));
}

}  // namespace

std::string effect_text(const HistoryChange& change) {
  std::string text = percent(change.effect) + " % " + change_verdict(change);
  return change.confirmed ? text : text + "?";
}

std::string interval_text(const HistoryChange& change) {
  if (!std::isfinite(change.low) || !std::isfinite(change.high)) return "";
  return fmt::format("99 %: {} .. {} %", percent(change.low), percent(change.high));
}

std::string history_text(const MetricHistory& history, const HistoryPlotOptions& options) {
  std::string text = title_text(history);
  if (!history.points.empty()) text += "\n" + history_plot(history, options) + "\n";
  text += history.changes.empty()
              ? no_change_text(history)
              : changes_text(history, true, options.colour) + changes_text(history, false, options.colour);
  for (const model::HistorySplit& split : history.splits)
    text += fmt::format("split before {}: {}\n", shown_commit(history.points[split.index].commit),
                        one_line(split.why));
  for (const std::string& note : history.notes) text += "note: " + one_line(note) + "\n";
  return text;
}

std::string history_list_text(std::span<const MetricHistory> histories) {
  std::string text = "commits  changes  newest                         metric and series\n";
  for (const MetricHistory& history : histories) {
    std::string newest = "-";
    if (!history.changes.empty()) {
      const HistoryChange& change = history.changes.back();
      newest = date_text(history.points[change.index].started) + " " + effect_text(change);
    }
    text += fmt::format("{:>7}  {:>7}  {:<29}  {}  {}\n", history.points.size(), history.changes.size(),
                        newest, one_line(history.key, kLongestName), axes_text(history.axes));
  }
  return text;
}

std::string found_changes_text(const FoundChanges& found, bool colour) {
  std::string text;
  for (const FoundChange& one : found.changes) {
    text += fmt::format("{}  {}  {}  {}..{}{}\n", date_text(one.date),
                        inked(fmt::format("{:<21}", effect_text(one.change)), change_ink(one.change), colour),
                        one_line(one.key, kLongestName), one_line(model::short_commit(one.last_good, 8)),
                        one_line(model::short_commit(one.first_bad, 8)), quoted_subject(one.subject));
    const std::string project = one.project.empty() ? "" : one_line(one.project, kLongestName) + ": ";
    text += inked("            " + project + axes_text(one.axes), Ink::dim, colour) + "\n";
  }
  const std::size_t all = found.confirmed + found.suspects;
  if (found.changes.size() < all)
    text += fmt::format("... and {} older (--limit 0 lists all)\n", all - found.changes.size());
  text += fmt::format("{} and {} in {} of {}\n", plural(found.confirmed, "change"),
                      plural(found.suspects, "suspect"), fmt::format("{} series", found.series),
                      plural(found.points, "point"));
  for (const std::string& note : found.notes) text += "note: " + one_line(note) + "\n";
  return text;
}

}  // namespace kilter::report
