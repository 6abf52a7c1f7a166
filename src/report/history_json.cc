#include "report/history_json.h"

#include "model/json.h"

#include <cmath>

namespace kilter::report {
namespace {

using HistoryJson = nlohmann::json;
using model::HistoryChange;
using model::MetricHistory;

HistoryJson finite_number(double value) {
  return std::isfinite(value) ? HistoryJson(value) : HistoryJson(nullptr);
}

// 0 is "unknown".
HistoryJson moment(double seconds) {
  return seconds > 0 ? HistoryJson(seconds) : HistoryJson(nullptr);
}

HistoryJson count_or_null(std::int64_t count) {
  return count >= 0 ? HistoryJson(count) : HistoryJson(nullptr);
}

std::string_view better(model::Direction direction) {
  if (direction == model::Direction::unknown) return "unknown";
  return direction == model::Direction::higher_better ? "higher" : "lower";
}

HistoryJson change_json(const HistoryChange& change) {
  return {{"grade", change.confirmed ? "confirmed" : "suspect"},
          {"verdict", change_verdict(change)},
          {"before", finite_number(change.before)},
          {"after", finite_number(change.after)},
          {"effect", finite_number(change.effect)},
          {"interval", {finite_number(change.low), finite_number(change.high)}},
          {"kind", change.absolute ? "absolute" : "relative"},
          {"commits", {change.points_before, change.points_after}},
          {"runs", {change.runs_before, change.runs_after}},
          {"untested", count_or_null(change.untested)},
          {"same_build", change.same_build}};
}

HistoryJson points_json(const MetricHistory& history) {
  HistoryJson points = HistoryJson::array();
  for (const model::HistoryPoint& point : history.points)
    points.push_back({{"commit", point.commit},
                      {"subject", point.subject},
                      {"started", moment(point.started)},
                      {"value", finite_number(point.value)},
                      {"runs", point.runs},
                      {"stretch", point.stretch},
                      {"place", count_or_null(point.place)}});
  return points;
}

HistoryJson changes_json(const MetricHistory& history) {
  HistoryJson changes = HistoryJson::array();
  for (const HistoryChange& change : history.changes) {
    HistoryJson json = change_json(change);
    json["index"] = change.index;
    json["last_good"] = history.points[change.index - 1].commit;
    json["first_bad"] = history.points[change.index].commit;
    json["date"] = moment(history.points[change.index].started);
    changes.push_back(std::move(json));
  }
  return changes;
}

HistoryJson one_history(const MetricHistory& history) {
  HistoryJson levels = HistoryJson::array();
  for (const model::HistoryLevel& level : history.levels)
    levels.push_back({{"begin", level.begin},
                      {"end", level.end},
                      {"value", finite_number(level.value)},
                      {"low", finite_number(level.low)},
                      {"high", finite_number(level.high)}});
  HistoryJson splits = HistoryJson::array();
  for (const model::HistorySplit& split : history.splits)
    splits.push_back({{"index", split.index}, {"why", split.why}});
  return {{"series", history.axes},
          {"metric", history.key},
          {"unit", history.info.unit},
          {"better", better(history.info.direction)},
          {"project", history.project},
          {"line", history.line},
          {"points", points_json(history)},
          {"levels", std::move(levels)},
          {"changes", changes_json(history)},
          {"splits", std::move(splits)},
          {"notes", history.notes}};
}

}  // namespace

std::string history_json(std::span<const MetricHistory> histories) {
  HistoryJson list = HistoryJson::array();
  for (const MetricHistory& history : histories) list.push_back(one_history(history));
  return model::dump_json(list) + "\n";
}

std::string found_changes_json(const model::FoundChanges& found) {
  HistoryJson changes = HistoryJson::array();
  for (const model::FoundChange& one : found.changes) {
    HistoryJson json = change_json(one.change);
    json["series"] = one.axes;
    json["metric"] = one.key;
    json["unit"] = one.info.unit;
    json["better"] = better(one.info.direction);
    json["project"] = one.project;
    json["last_good"] = one.last_good;
    json["first_bad"] = one.first_bad;
    json["subject"] = one.subject;
    json["date"] = moment(one.date);
    changes.push_back(std::move(json));
  }
  const HistoryJson all = {{"changes", std::move(changes)}, {"confirmed", found.confirmed},
                           {"suspects", found.suspects},    {"series", found.series},
                           {"points", found.points},        {"notes", found.notes}};
  return model::dump_json(all) + "\n";
}

}  // namespace kilter::report
