#include "robot/history_scan.h"

#include "analyse/change_points.h"
#include "os/interrupt.h"
#include "robot/history_select.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <memory>
#include <mutex>
#include <thread>
#include <unordered_map>

namespace kilter::robot {
namespace {

using model::Axes;
using model::FoundChange;
using model::FoundChanges;

constexpr std::size_t kMostValues = std::size_t{1} << 22;  // of a table: 32 MB
constexpr std::size_t kSpareChanges = 1000;                // beyond the limit, before the oldest go

// A table with what its metrics are judged by.
struct ScanSlice {
  Axes axes;
  store::SeriesTable table;
  std::vector<model::MetricInfo> infos;
  std::vector<SeriesLayout> layouts;
};

// What the workers found; shared by them.
class ScanHarvest {
 public:
  ScanHarvest(double since, std::size_t limit) : since_(since), limit_(limit) {}

  void add(std::vector<FoundChange> changes, std::size_t series, std::size_t points) {
    std::erase_if(changes, [this](const FoundChange& one) { return one.date < since_; });
    const std::scoped_lock lock(mutex_);
    found_.series += series;
    found_.points += points;
    for (const FoundChange& one : changes) ++(one.change.confirmed ? found_.confirmed : found_.suspects);
    std::ranges::move(changes, std::back_inserter(found_.changes));
    if (limit_ > 0 && found_.changes.size() > 2 * limit_ + kSpareChanges) keep_newest();
  }

  FoundChanges take() {
    keep_newest();
    return std::move(found_);
  }

 private:
  // The order depends on nothing but the changes.
  static bool is_newer(const FoundChange& a, const FoundChange& b) {
    if (a.date != b.date) return a.date > b.date;
    if (a.axes != b.axes) return a.axes < b.axes;
    if (a.key != b.key) return a.key < b.key;
    return a.change.index > b.change.index;
  }
  void keep_newest() {
    std::ranges::sort(found_.changes, is_newer);
    if (limit_ > 0 && found_.changes.size() > limit_) found_.changes.resize(limit_);
  }

  double since_;
  std::size_t limit_;
  std::mutex mutex_;
  FoundChanges found_;
};

FoundChange found_change(const model::MetricHistory& history, const model::HistoryChange& change) {
  const model::HistoryPoint& first = history.points[change.index];
  return {.axes = history.axes,
          .key = history.key,
          .info = history.info,
          .project = history.project,
          .change = change,
          .last_good = history.points[change.index - 1].commit,
          .first_bad = first.commit,
          .subject = first.subject,
          .date = first.started};
}

// Most series have no change: these cost no more than their values.
void judge_metric(const ScanSlice& slice, const SeriesLayout& layout, std::size_t key, ScanHarvest& harvest) {
  const MetricPoints points = metric_points(layout, slice.table.row(key));
  if (points.values.empty()) return;
  std::vector<std::uint32_t> labels;
  labels.reserve(points.points.size());
  for (const std::size_t point : points.points)
    labels.push_back(static_cast<std::uint32_t>(layout.points[point].stretch));
  const analyse::Changes changes = analyse::change_points(points.values, labels);
  std::vector<FoundChange> found;
  if (!changes.confirmed.empty() || !changes.suspects.empty()) {
    const MetricName name{.axes = slice.axes, .key = slice.table.keys[key], .info = slice.infos[key]};
    const model::MetricHistory history = metric_history(layout, slice.table.row(key), name, points, changes);
    for (const model::HistoryChange& change : history.changes) found.push_back(found_change(history, change));
  }
  harvest.add(std::move(found), 1, points.values.size());
}

// Judges one slice at a time on some threads, while its caller reads on.
class JudgingCrew {
 public:
  JudgingCrew(std::size_t threads, ScanHarvest& harvest)
      : count_(std::max<std::size_t>(threads, 1)), harvest_(harvest) {}

  // Waits for the slice before.
  void judge(std::unique_ptr<ScanSlice> slice) {
    finish();
    slice_ = std::move(slice);
    next_ = 0;
    const std::size_t useful = std::clamp<std::size_t>(slice_->table.keys.size(), 1, count_);
    for (std::size_t i = 0; i < useful; ++i) threads_.emplace_back([this] { work(); });
  }
  void finish() { threads_.clear(); }  // joins

 private:
  void work() {
    for (std::size_t key = next_++; key < slice_->table.keys.size() && !os::interrupted(); key = next_++)
      for (const SeriesLayout& layout : slice_->layouts) judge_metric(*slice_, layout, key, harvest_);
  }

  std::size_t count_;
  ScanHarvest& harvest_;
  std::unique_ptr<ScanSlice> slice_;
  std::atomic<std::size_t> next_ = 0;
  std::vector<std::jthread> threads_;  // last: joined before the rest goes
};

class HistoryScan {
 public:
  HistoryScan(const ReadingRoom& room, const CommitLines& lines, const ScanRequest& request)
      : room_(room),
        store_(*room.store),
        lines_(lines),
        request_(request),
        kinds_(store_),
        harvest_(request.since, request.limit),
        crew_(request.threads, harvest_) {}

  Result<FoundChanges> run() {
    ASSIGN_OR_RETURN(const std::vector<Axes> series, store_.series_axes(request_.axes));
    for (std::size_t i = 0; i < series.size(); ++i) {
      if (request_.progress) request_.progress(i, series.size());
      TRY(scan(series[i]));
      if (os::interrupted()) return interrupted("scanning the histories was interrupted");
    }
    crew_.finish();
    if (os::interrupted()) return interrupted("scanning the histories was interrupted");
    return harvest_.take();
  }

 private:
  Status scan(const Axes& axes) {
    ASSIGN_OR_RETURN(const store::SeriesShape shape, store_.series_shape(axes));
    const std::vector<std::string> keys = chosen(shape.keys);
    const std::size_t width = std::max<std::size_t>(kMostValues / std::max<std::size_t>(shape.runs, 1), 1);
    for (std::size_t first = 0; first < keys.size(); first += width)
      TRY(scan_slice(axes, std::span(keys).subspan(first, std::min(width, keys.size() - first))));
    return {};
  }

  // `keys` are sorted.
  Status scan_slice(const Axes& axes, std::span<const std::string> keys) {
    std::unique_ptr<ScanSlice> slice = std::make_unique<ScanSlice>();
    slice->axes = axes;
    ASSIGN_OR_RETURN(slice->table, store_.series_table(axes, [&](const std::string& key) {
      return std::ranges::binary_search(keys, key);
    }));
    for (const std::string& key : slice->table.keys) slice->infos.push_back(info_of(key));
    slice->layouts = lay_out(slice->table, lines_, kinds_, request_.project);
    crew_.judge(std::move(slice));
    return {};
  }

  std::vector<std::string> chosen(const std::vector<std::string>& keys) {
    std::vector<std::string> found;
    if (request_.metrics.empty() && request_.choice == MetricChoice::headline) {
      if (std::string key = speaking_metric(room_.catalogue, keys); !key.empty())
        found.push_back(std::move(key));
      return found;
    }
    std::ranges::copy_if(keys, std::back_inserter(found), [this](const std::string& key) {
      if (!request_.metrics.empty())
        return std::ranges::any_of(request_.metrics, [&](const std::string& word) {
          return key == word || key.ends_with("." + word);
        });
      return request_.choice == MetricChoice::all || info_of(key).direction != model::Direction::unknown;
    });
    return found;
  }

  const model::MetricInfo& info_of(const std::string& key) {
    const auto [known, fresh] = infos_.try_emplace(key);
    if (fresh) known->second = history_metric_info(room_.catalogue, key);
    return known->second;
  }

  const ReadingRoom& room_;
  store::Store& store_;
  const CommitLines& lines_;
  const ScanRequest& request_;
  MachineKinds kinds_;
  std::unordered_map<std::string, model::MetricInfo> infos_;
  ScanHarvest harvest_;
  JudgingCrew crew_;  // last: joined before the rest goes
};

}  // namespace

Result<FoundChanges> scan_histories(const ReadingRoom& room, const CommitLines& lines,
                                    const ScanRequest& request) {
  return HistoryScan(room, lines, request).run();
}

}  // namespace kilter::robot
