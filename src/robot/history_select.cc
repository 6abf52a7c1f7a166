#include "robot/history_select.h"

#include "analyse/direction.h"
#include "base/text.h"
#include "store/path_index.h"
#include "suite/metric_info.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

namespace kilter::robot {
namespace {

using model::Axes;

constexpr std::size_t kMostSeries = 1000;
constexpr std::string_view kElapsedTime = "time.elapsed_time";

// The words, sorted out.
struct Wanted {
  Axes axes;
  std::vector<std::string> paths;
  std::vector<std::string> metrics;
};

Result<Wanted> sort_out(const HistoryQuery& request) {
  Wanted wanted{.axes = {}, .paths = {}, .metrics = request.metrics};
  for (const std::string& word : request.words) {
    if (!word.contains('=')) {
      wanted.paths.push_back(word);
      continue;
    }
    ASSIGN_OR_RETURN(const Axes axes, model::parse_axes(word));
    if (axes.contains("commit"))
      return usage_error("history: a commit is a point of a history, not a history",
                         "name the series without it; --since and --last choose points");
    wanted.axes.insert(axes.begin(), axes.end());
  }
  return wanted;
}

// Why no series has all of `axes`.
tl::unexpected<Error> no_such_axes(store::Store& store, const Axes& axes) {
  const Result<std::vector<Axes>> all = store.series_axes({});
  if (!all) return fail(all.error());
  for (const auto& [name, value] : axes) {
    std::set<std::string> names;
    std::set<std::string> values;
    for (const Axes& series : *all) {
      for (const auto& [axis, text] : series) names.insert(axis);
      if (const auto found = series.find(name); found != series.end()) values.insert(found->second);
    }
    if (values.contains(value)) continue;
    const std::vector<std::string> choices = values.empty()
                                                 ? std::vector<std::string>(names.begin(), names.end())
                                                 : std::vector<std::string>(values.begin(), values.end());
    const std::string guess = did_you_mean(values.empty() ? name : value, choices);
    return usage_error(
        fmt::format("history: no result has {}={}", printable(name), printable(value)),
        guess.empty() ? (values.empty() ? "axes are: " : name + " is: ") + join(choices, ", ").substr(0, 200)
                      : guess);
  }
  return usage_error("history: no result has all of " + printable(model::axes_key(axes)),
                     "kilter result --cells lists what there is");
}

// Finds series, then metrics, then reads.
class HistorySearch {
 public:
  HistorySearch(const ReadingRoom& room, const CommitLines& lines, const std::string& project)
      : room_(room), store_(*room.store), lines_(lines), project_(project), kinds_(store_) {}

  Result<std::vector<model::MetricHistory>> find(Wanted wanted) {
    ASSIGN_OR_RETURN(std::vector<Axes> series, store_.series_axes(wanted.axes));
    if (series.empty()) return no_such_axes(store_, wanted.axes);
    TRY(narrow(series, wanted));
    if (series.size() > kMostSeries)
      return usage_error(fmt::format("history: {} series fit", series.size()),
                         "narrow it with KEY=VALUE or parts of the result path, or scan all with --all");
    std::vector<model::MetricHistory> found;
    for (const Axes& axes : series) TRY(read(axes, wanted.metrics, found));
    if (found.empty()) return nothing(wanted.metrics);
    return found;
  }

 private:
  // By parts of paths; a word that is in no path may be a metric.
  Status narrow(std::vector<Axes>& series, Wanted& wanted) {
    if (wanted.paths.empty()) return {};
    std::vector<std::string> in_paths;
    for (const std::string& word : wanted.paths) {
      ASSIGN_OR_RETURN(const std::vector<std::string> hits,
                       store::find_paths(room_.world.home, store_, std::span(&word, 1)));
      if (!hits.empty()) {
        in_paths.push_back(word);
        continue;
      }
      ASSIGN_OR_RETURN(const bool metric, is_metric(series, word));
      if (!metric) return fail(store::no_path_error(room_.world.home, store_, wanted.paths));
      wanted.metrics.push_back(word);
    }
    if (in_paths.empty()) return {};
    ASSIGN_OR_RETURN(const std::vector<std::string> paths,
                     store::find_paths(room_.world.home, store_, in_paths));
    if (paths.empty()) return fail(store::no_path_error(room_.world.home, store_, in_paths));
    return keep_series_of(series, {paths.begin(), paths.end()}, wanted.axes);
  }

  Status keep_series_of(std::vector<Axes>& series, const std::set<std::string>& paths, const Axes& axes) {
    ASSIGN_OR_RETURN(const std::vector<store::StoredRun> runs,
                     store_.runs({.axes = axes, .outcome = model::Outcome::ok}));
    std::set<Axes> kept;
    for (const store::StoredRun& run : runs)
      if (paths.contains(run.record.directory)) kept.insert(model::without(run.record.axes, "commit"));
    if (kept.empty())
      return failure(fmt::format("looking for a history: none of the {} runs that match is ok", paths.size()),
                     "kilter result --long lists how they ended");
    std::erase_if(series, [&](const Axes& one) { return !kept.contains(one); });
    return {};
  }

  Result<bool> is_metric(const std::vector<Axes>& series, const std::string& word) {
    for (const Axes& axes : series) {
      ASSIGN_OR_RETURN(const store::SeriesShape shape, store_.series_shape(axes));
      if (!matching(shape.keys, word).empty()) return true;
    }
    return false;
  }

  // The key itself, else those that end in it.
  static std::vector<std::string> matching(const std::vector<std::string>& keys, const std::string& word) {
    if (std::ranges::binary_search(keys, word)) return {word};
    std::vector<std::string> found;
    for (const std::string& key : keys)
      if (key.ends_with("." + word)) found.push_back(key);
    return found;
  }

  Status read(const Axes& axes, const std::vector<std::string>& metrics,
              std::vector<model::MetricHistory>& found) {
    ASSIGN_OR_RETURN(const store::SeriesShape shape, store_.series_shape(axes));
    std::set<std::string> keys;
    for (const std::string& word : metrics)
      for (std::string& key : matching(shape.keys, word)) keys.insert(std::move(key));
    if (metrics.empty()) keys.insert(speaking_metric(room_.catalogue, shape.keys));
    known_.insert(shape.keys.begin(), shape.keys.end());
    ASSIGN_OR_RETURN(const store::SeriesTable table,
                     store_.series_table(axes, [&](const std::string& key) { return keys.contains(key); }));
    if (table.keys.empty()) return {};
    for (const SeriesLayout& layout : lay_out(table, lines_, kinds_, project_))
      for (std::size_t i = 0; i < table.keys.size(); ++i) {
        const model::MetricInfo info = history_metric_info(room_.catalogue, table.keys[i]);
        model::MetricHistory history =
            metric_history(layout, table.row(i), {.axes = axes, .key = table.keys[i], .info = info});
        if (!history.points.empty()) found.push_back(std::move(history));
      }
    return {};
  }

  tl::unexpected<Error> nothing(const std::vector<std::string>& metrics) const {
    const std::vector<std::string> known(known_.begin(), known_.end());
    for (const std::string& word : metrics) {
      if (!matching(known, word).empty()) continue;
      std::vector<std::string> choices = known;
      for (const std::string& key : known) choices.push_back(key.substr(key.find('.') + 1));
      const std::string guess = did_you_mean(word, choices);
      return failure(fmt::format("looking for '{}': no ok run has it", printable(word)),
                     guess.empty() ? "metrics are named program.metric: netperf.Throughput_tps" : guess);
    }
    if (!project_.empty())
      return failure(
          fmt::format("looking for a history: project '{}' has no point of it", printable(project_)),
          "kilter result lists the runs there are");
    return failure("looking for a history: no ok run has a number", "kilter result --long lists the runs");
  }

  const ReadingRoom& room_;
  store::Store& store_;
  const CommitLines& lines_;
  std::string project_;
  MachineKinds kinds_;
  std::set<std::string> known_;
};

}  // namespace

Result<std::vector<model::MetricHistory>> find_histories(const ReadingRoom& room, const CommitLines& lines,
                                                         const HistoryQuery& request) {
  ASSIGN_OR_RETURN(Wanted wanted, sort_out(request));
  return HistorySearch(room, lines, request.project).find(std::move(wanted));
}

std::string speaking_metric(const suite::Catalogue& catalogue, const std::vector<std::string>& keys) {
  std::string best;
  std::size_t lowest = std::string::npos;
  std::vector<std::string> directed;
  for (const std::string& key : keys) {
    const model::MetricInfo info = history_metric_info(catalogue, key);
    const std::size_t rank = suite::metric_rank(catalogue, key);
    if (info.headline && (best.empty() || rank < lowest)) {
      best = key;
      lowest = rank;
    }
    if (info.direction != model::Direction::unknown) directed.push_back(key);
  }
  if (!best.empty()) return best;
  analyse::sort_bisect_stats(directed);
  if (!directed.empty()) return directed.back();
  if (std::ranges::find(keys, kElapsedTime) != keys.end() || keys.empty())
    return keys.empty() ? "" : std::string(kElapsedTime);
  return keys.front();
}

}  // namespace kilter::robot
