#include "robot/history.h"

#include "analyse/direction.h"
#include "analyse/fingerprint.h"
#include "analyse/metric_history.h"
#include "base/text.h"
#include "robot/cell_directory.h"
#include "suite/metric_info.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <tuple>

namespace kilter::robot {
namespace {

using store::SeriesRun;
using store::SeriesTable;
using Standing = CommitLine::Standing;

// Columns of the table.
using Columns = std::vector<std::size_t>;

std::map<std::string, Columns> columns_by_project(const SeriesTable& table, const std::string& project) {
  std::map<std::string, Columns> found;
  for (std::size_t column = 0; column < table.runs.size(); ++column) {
    const std::string& of_run = table.runs[column].project;
    if (project.empty() || of_run.empty() || of_run == project) found[of_run].push_back(column);
  }
  return found;
}

// The line with the most of the commits; nullptr when none has any.
const CommitLine* best_line(const CommitLines& lines, const std::set<std::string>& commits) {
  const CommitLine* best = nullptr;
  std::ptrdiff_t most = 0;
  for (const auto& [name, line] : lines) {
    const std::ptrdiff_t count = std::ranges::count_if(
        commits, [&](const std::string& commit) { return line.find(commit).standing == Standing::on_line; });
    if (count > most) best = &line;
    most = std::max(most, count);
  }
  return best;
}

// Gathers the points of one project's runs.
class PointGathering {
 public:
  PointGathering(const SeriesTable& table, MachineKinds& kinds, std::string project)
      : table_(table), kinds_(kinds) {
    layout_.project = std::move(project);
  }

  SeriesLayout gather(const Columns& columns, const CommitLines& lines) {
    choose_line(columns, lines);
    for (const std::size_t column : columns) add(column);
    note_left_out();
    std::vector<std::vector<PointLayout>> kinds;
    for (std::size_t kind = 0; kind < firsts_.size(); ++kind) kinds.push_back(points_of(kind));
    join_stretches(kinds);
    return std::move(layout_);
  }

 private:
  struct Key {
    std::size_t kind = 0;
    std::string commit;
    auto operator<=>(const Key&) const = default;
  };

  void choose_line(const Columns& columns, const CommitLines& lines) {
    const auto named = lines.find(layout_.project);
    if (layout_.project.empty()) {
      std::set<std::string> commits;
      for (const std::size_t column : columns) commits.insert(table_.runs[column].commit);
      line_ = best_line(lines, commits);
    } else if (named != lines.end() && !named->second.empty()) {
      line_ = &named->second;
    }
    if (line_ != nullptr) layout_.line = line_->name();
  }

  // The first kind of machine that this run's is like.
  std::size_t kind_of(std::size_t column) {
    const auto [known, fresh] = kind_of_.try_emplace(table_.runs[column].fingerprint, firsts_.size());
    if (!fresh) return known->second;
    for (std::size_t kind = 0; kind < firsts_.size(); ++kind)
      if (difference(firsts_[kind], column).empty()) return known->second = kind;
    firsts_.push_back(column);
    return known->second;
  }

  std::string difference(std::size_t a, std::size_t b) {
    return kinds_.difference(table_.runs[a], table_.runs[b], layout_.project.empty());
  }

  void add(std::size_t column) {
    const std::string& commit = table_.runs[column].commit;
    const auto [spot, fresh] = spots_.try_emplace(commit);
    if (fresh && line_ != nullptr) spot->second = line_->find(commit);
    const Standing standing = spot->second.standing;
    if (standing == Standing::beside || standing == Standing::patched)
      left_out_[standing].insert(commit);
    else
      columns_[{kind_of(column), commit}].push_back(column);
  }

  void note_left_out() {
    if (const std::size_t count = left_out_[Standing::beside].size(); count > 0)
      layout_.notes.push_back(fmt::format("{} beside the line of {} left out (--branch NAME follows another)",
                                          count == 1 ? "1 commit" : fmt::format("{} commits", count),
                                          printable(layout_.line) + (count == 1 ? " is" : " are")));
    if (const std::size_t count = left_out_[Standing::patched].size(); count > 0)
      layout_.notes.push_back(
          fmt::format("{} patched commit{} left out", count, count == 1 ? " is" : "s are"));
  }

  PointLayout point_of(const std::string& commit, Columns columns) {
    std::ranges::stable_sort(columns, {}, [&](std::size_t column) { return table_.runs[column].boot_id; });
    const CommitLine::Spot& spot = spots_[commit];
    PointLayout point{.commit = commit,
                      .subject = spot.subject,
                      .build_id = table_.runs[columns.front()].build_id,
                      .started = table_.runs[columns.front()].started,
                      .place = spot.place};
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const SeriesRun& run = table_.runs[columns[i]];
      point.started = std::min(point.started, run.started);
      if (run.build_id != point.build_id) point.build_id.clear();
      if (i > 0 && run.boot_id != table_.runs[columns[i - 1]].boot_id) point.boots.push_back(i);
    }
    point.boots.push_back(columns.size());
    point.runs = std::move(columns);
    return point;
  }

  // In their order.
  std::vector<PointLayout> points_of(std::size_t kind) {
    std::vector<PointLayout> placed;
    std::vector<PointLayout> timed;
    for (auto it = columns_.lower_bound({kind, ""}); it != columns_.end() && it->first.kind == kind; ++it) {
      PointLayout point = point_of(it->first.commit, std::move(it->second));
      (point.place >= 0 ? placed : timed).push_back(std::move(point));
    }
    std::ranges::sort(placed, {}, &PointLayout::place);
    std::ranges::sort(timed, {},
                      [](const PointLayout& point) { return std::pair(point.started, point.runs.front()); });
    return put_between(std::move(placed), std::move(timed));
  }

  // Each of `timed` after the last of `placed` that was measured before it.
  static std::vector<PointLayout> put_between(std::vector<PointLayout> placed,
                                              std::vector<PointLayout> timed) {
    if (placed.empty()) return timed;
    std::vector<std::pair<std::size_t, std::size_t>> order;  // place among `placed`, number
    std::vector<PointLayout> all = std::move(placed);
    std::vector<double> earliest(all.size());  // of this one and those behind it
    for (std::size_t i = all.size(); i-- > 0;) {
      order.emplace_back(i + 1, i);
      earliest[i] = i + 1 < all.size() ? std::min(earliest[i + 1], all[i].started) : all[i].started;
    }
    for (PointLayout& point : timed) {
      const std::ptrdiff_t after = std::ranges::upper_bound(earliest, point.started) - earliest.begin();
      order.emplace_back(static_cast<std::size_t>(after), all.size());
      all.push_back(std::move(point));
    }
    std::ranges::sort(order);
    std::vector<PointLayout> sorted;
    sorted.reserve(all.size());
    for (const auto& [after, number] : order) sorted.push_back(std::move(all[number]));
    return sorted;
  }

  // The machine that measured the newest commit comes last.
  void join_stretches(std::vector<std::vector<PointLayout>>& kinds) {
    std::vector<std::size_t> order;
    for (std::size_t kind = 0; kind < kinds.size(); ++kind)
      if (!kinds[kind].empty()) order.push_back(kind);
    std::ranges::sort(order, {}, [&](std::size_t kind) {
      std::tuple<std::int64_t, double, std::size_t> newest{-1, 0, kind};
      for (const PointLayout& point : kinds[kind]) {
        std::get<0>(newest) = std::max(std::get<0>(newest), point.place);
        std::get<1>(newest) = std::max(std::get<1>(newest), point.started);
      }
      return newest;
    });
    for (std::size_t stretch = 0; stretch < order.size(); ++stretch) {
      if (stretch > 0)
        layout_.whys.push_back(difference(firsts_[order[stretch - 1]], firsts_[order[stretch]]));
      for (PointLayout& point : kinds[order[stretch]]) {
        point.stretch = stretch;
        layout_.points.push_back(std::move(point));
      }
    }
  }

  const SeriesTable& table_;
  MachineKinds& kinds_;
  const CommitLine* line_ = nullptr;
  SeriesLayout layout_;
  std::vector<std::size_t> firsts_;                // of each kind, a column
  std::map<std::string, std::size_t> kind_of_;     // by fingerprint id
  std::map<std::string, CommitLine::Spot> spots_;  // by commit
  std::map<Standing, std::set<std::string>> left_out_;
  std::map<Key, Columns> columns_;
};

}  // namespace

const std::map<std::string, std::string>& MachineKinds::parts_of(const SeriesRun& run) {
  const auto [known, fresh] = parts_.try_emplace(run.fingerprint);
  if (!fresh) return known->second;
  if (const Result<std::string> directory = store_.directory(run.id); directory && !directory->empty())
    known->second = machine_fingerprint(*directory);
  return known->second;
}

std::string MachineKinds::difference(const SeriesRun& a, const SeriesRun& b, bool kernels) {
  if (a.fingerprint == b.fingerprint || a.fingerprint.empty() || b.fingerprint.empty()) return "";
  const std::map<std::string, std::string> parts_of_a = parts_of(a);
  const std::map<std::string, std::string>& parts_of_b = parts_of(b);
  if (parts_of_a.empty() || parts_of_b.empty()) return "machines differ: the record of one of them is gone";
  return analyse::describe_unlike(parts_of_a, parts_of_b, {.kernel_is_compared = kernels});
}

std::vector<SeriesLayout> lay_out(const SeriesTable& table, const CommitLines& lines, MachineKinds& kinds,
                                  const std::string& project) {
  std::vector<SeriesLayout> layouts;
  for (const auto& [name, columns] : columns_by_project(table, project))
    layouts.push_back(PointGathering(table, kinds, name).gather(columns, lines));
  return layouts;
}

MetricPoints metric_points(const SeriesLayout& layout, std::span<const double> row) {
  MetricPoints found;
  std::vector<double> runs;
  for (std::size_t i = 0; i < layout.points.size(); ++i) {
    runs.clear();
    for (const std::size_t column : layout.points[i].runs) runs.push_back(row[column]);
    const double value = runs.size() == 1 ? runs[0] : analyse::point_value(runs, layout.points[i].boots);
    if (!std::isfinite(value)) continue;
    found.points.push_back(i);
    found.values.push_back(value);
  }
  return found;
}

namespace {

model::MetricHistory unjudged_history(const SeriesLayout& layout, std::span<const double> row,
                                      const MetricName& name, const MetricPoints& found) {
  model::MetricHistory history{.axes = name.axes,
                               .key = name.key,
                               .info = name.info,
                               .project = layout.project,
                               .line = layout.line,
                               .points = {},
                               .levels = {},
                               .changes = {},
                               .splits = {},
                               .notes = layout.notes};
  for (std::size_t i = 0; i < found.points.size(); ++i) {
    const PointLayout& point = layout.points[found.points[i]];
    if (i > 0 && point.stretch != history.points.back().stretch)
      history.splits.push_back({.index = i, .why = layout.whys[point.stretch - 1]});
    model::HistoryPoint& added = history.points.emplace_back(model::HistoryPoint{.commit = point.commit,
                                                                                 .subject = point.subject,
                                                                                 .started = point.started,
                                                                                 .value = found.values[i],
                                                                                 .runs = {},
                                                                                 .build_id = point.build_id,
                                                                                 .stretch = point.stretch,
                                                                                 .place = point.place});
    for (const std::size_t column : point.runs)
      if (std::isfinite(row[column])) added.runs.push_back(row[column]);
  }
  return history;
}

}  // namespace

model::MetricHistory metric_history(const SeriesLayout& layout, std::span<const double> row,
                                    const MetricName& name) {
  model::MetricHistory history = unjudged_history(layout, row, name, metric_points(layout, row));
  analyse::judge_history(history);
  return history;
}

model::MetricHistory metric_history(const SeriesLayout& layout, std::span<const double> row,
                                    const MetricName& name, const MetricPoints& points,
                                    const analyse::Changes& changes) {
  model::MetricHistory history = unjudged_history(layout, row, name, points);
  analyse::judge_history(history, changes);
  return history;
}

model::MetricInfo history_metric_info(const suite::Catalogue& catalogue, const std::string& key) {
  model::MetricInfo info = suite::metric_info(catalogue, key);
  if (info.direction == model::Direction::unknown) info.direction = analyse::direction_of(key);
  return info;
}

}  // namespace kilter::robot
