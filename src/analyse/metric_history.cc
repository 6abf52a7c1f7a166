#include "analyse/metric_history.h"

#include "analyse/order_statistics.h"
#include "analyse/rec.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace kilter::analyse {
namespace {

using model::HistoryChange;
using model::HistoryLevel;
using model::HistoryPoint;
using model::MetricHistory;

constexpr double kUnbounded = std::numeric_limits<double>::infinity();
constexpr double kNormalScale = 1.4826;  // of a median absolute deviation, to be a standard deviation
constexpr double kNineOfTen = 1.6449;    // standard deviations

std::vector<double> values_of(std::span<const HistoryPoint> points) {
  std::vector<double> values;
  values.reserve(points.size());
  for (const HistoryPoint& point : points) values.push_back(point.value);
  return values;
}

std::span<const HistoryPoint> points_in(const MetricHistory& history, const PointRange& range) {
  return std::span(history.points).subspan(range.begin, range.end - range.begin);
}

std::size_t count_runs(std::span<const HistoryPoint> points) {
  std::size_t runs = 0;
  for (const HistoryPoint& point : points) runs += point.runs.size();
  return runs;
}

void set_interval(HistoryChange& change, std::span<const HistoryPoint> before,
                  std::span<const HistoryPoint> after) {
  const std::vector<double> a = values_of(before);
  const std::vector<double> b = values_of(after);
  change.low = -kUnbounded;
  change.high = kUnbounded;
  const std::optional<RecSamples> samples = rec_samples({.a = a, .b = b, .history = {}});
  if (!samples) return;
  const RecResult result = rec_test(*samples);
  if (result.absolute != change.absolute) return;  // a value that is not positive stands farther away
  change.effect = result.effect;
  change.low = result.low;
  change.high = result.high;
}

HistoryChange history_change(const MetricHistory& history, const ChangePoint& found, bool confirmed) {
  HistoryChange change{.confirmed = confirmed,
                       .index = found.index,
                       .before = found.before,
                       .after = found.after,
                       .effect = found.effect,
                       .absolute = found.absolute,
                       .direction = history.info.direction};
  const std::span<const HistoryPoint> before = points_in(history, found.adjacent_before);
  const std::span<const HistoryPoint> after = points_in(history, found.adjacent_after);
  change.points_before = before.size();
  change.points_after = after.size();
  change.runs_before = count_runs(before);
  change.runs_after = count_runs(after);
  set_interval(change, before, after);
  const HistoryPoint& last = history.points[found.index - 1];
  const HistoryPoint& first = history.points[found.index];
  if (last.place >= 0 && first.place > last.place) change.untested = first.place - last.place - 1;
  change.same_build = !last.build_id.empty() && last.build_id == first.build_id;
  return change;
}

HistoryLevel level_of_points(const MetricHistory& history, const PointRange& range) {
  std::vector<double> values = finite_values(values_of(points_in(history, range)));
  HistoryLevel level{.begin = range.begin, .end = range.end, .value = median(values)};
  for (double& value : values) value = std::abs(value - level.value);
  const double reach = kNineOfTen * kNormalScale * median_in_place(values);
  level.low = level.value - reach;
  level.high = level.value + reach;
  return level;
}

void set_levels(MetricHistory& history) {
  std::vector<std::size_t> ends;
  for (const HistoryChange& change : history.changes) ends.push_back(change.index);
  for (std::size_t i = 1; i < history.points.size(); ++i)
    if (history.points[i].stretch != history.points[i - 1].stretch) ends.push_back(i);
  ends.push_back(history.points.size());
  std::ranges::sort(ends);
  std::size_t begin = 0;
  for (const std::size_t end : ends) {
    if (end > begin) history.levels.push_back(level_of_points(history, {.begin = begin, .end = end}));
    begin = end;
  }
}

}  // namespace

double point_value(std::span<double> values, std::span<const std::size_t> boots) {
  std::vector<double> middles;
  std::size_t begin = 0;
  for (const std::size_t end : boots) {
    const std::span<double> boot = values.subspan(begin, end - begin);
    const std::ptrdiff_t numbers =
        std::ranges::partition(boot, [](double value) { return std::isfinite(value); }).begin() -
        boot.begin();
    if (numbers > 0) middles.push_back(median_in_place(boot.first(static_cast<std::size_t>(numbers))));
    begin = end;
  }
  return middles.empty() ? std::numeric_limits<double>::quiet_NaN() : median_in_place(middles);
}

void judge_history(MetricHistory& history) {
  SeriesHistory series({.watch = false});
  for (const HistoryPoint& point : history.points)
    series.append(point.value, static_cast<std::uint32_t>(point.stretch));
  judge_history(history, series.changes());
}

void judge_history(MetricHistory& history, const Changes& found) {
  history.changes.clear();
  history.levels.clear();
  for (const ChangePoint& change : found.confirmed)
    history.changes.push_back(history_change(history, change, true));
  for (const ChangePoint& change : found.suspects)
    history.changes.push_back(history_change(history, change, false));
  std::ranges::sort(history.changes, {}, &HistoryChange::index);
  set_levels(history);
}

}  // namespace kilter::analyse
