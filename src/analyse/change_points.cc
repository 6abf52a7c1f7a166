#include "analyse/change_points.h"

#include "analyse/series_scale.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace kilter::analyse {
namespace {

constexpr double kLargestValue = 1e150;  // squares are still numbers
constexpr std::size_t kMostOpen = 2048;
constexpr std::size_t kLeastOpen = 512;  // enough to know the scale
constexpr std::size_t kLeastForgotten = kMostOpen / 4;

bool is_measured(double value) {
  return std::isfinite(value) && std::abs(value) <= kLargestValue;
}

template <class T>
void drop_first(std::vector<T>& items, std::size_t count) {
  items.erase(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(count));
}

bool is_near(const ChangePoint& change, std::size_t index) {
  return std::max(change.index, index) - std::min(change.index, index) <= kSamePlace;
}

// Where the open part may begin: at a change that later ones have settled, else in the middle, but with
// enough points before the next change to judge that.
std::size_t first_to_keep(std::span<const std::size_t> breaks) {
  std::size_t settled = 0;
  for (std::size_t k = 0; k + 1 < breaks.size() && breaks[k] + kLeastOpen <= kMostOpen; ++k)
    settled = breaks[k];
  if (settled >= kLeastForgotten) return settled;
  const std::size_t middle = kMostOpen / 2;
  const std::span<const std::size_t>::iterator next = std::ranges::upper_bound(breaks, middle);
  return next == breaks.end() ? middle : std::min(middle, *next - kLocalPoints);
}

}  // namespace

void SeriesHistory::append(double value, std::uint32_t label) {
  const std::size_t position = appended_++;
  if (!is_measured(value)) {
    ++final_.skipped;
    return;
  }
  if (!values_.empty() && label != label_) split(position);
  label_ = label;
  push(position, value);
  if (options_.watch) watch_newest();
  if (values_.size() == kMostOpen) forget_oldest();
}

void SeriesHistory::push(std::size_t position, double value) {
  positions_.push_back(position);
  values_.push_back(value);
  if (logarithmic_ && value <= 0) {
    logarithmic_ = false;
    levels_ = values_;
    watch_ = {};
    return;
  }
  levels_.push_back(logarithmic_ ? std::log(value) : value);
}

void SeriesHistory::watch_newest() {
  if (!watch_.append(levels_.back())) watch_.restart(levels_, forgotten_ + levels_.size());
}

// What came before is judged as it stands.
void SeriesHistory::split(std::size_t position) {
  const std::vector<ChangePoint> confirmed = open_confirmed();
  final_.suspects = open_suspects(confirmed);
  std::ranges::copy(confirmed, std::back_inserter(final_.confirmed));
  final_.splits.push_back(position);
  forgotten_ = 0;
  logarithmic_ = true;
  positions_.clear();
  values_.clear();
  levels_.clear();
  watch_ = {};
}

void SeriesHistory::forget_oldest() {
  const Standardised series = standardised(levels_);
  const std::vector<std::size_t> breaks = tier_breaks(series, forgotten_ + levels_.size(), kConfirmedTier);
  const std::size_t keep = first_to_keep(breaks);
  const std::vector<ChangePoint> confirmed = described(series, breaks);
  for (std::size_t k = 0; k < breaks.size() && breaks[k] <= keep; ++k)
    final_.confirmed.push_back(confirmed[k]);
  drop_first(positions_, keep);
  drop_first(values_, keep);
  drop_first(levels_, keep);
  forgotten_ += keep;
}

std::optional<std::size_t> SeriesHistory::newest_suspect() const {
  const std::optional<std::size_t> age = watch_.age();
  if (!age || *age > kFreshPoints) return std::nullopt;
  return positions_[positions_.size() - *age];
}

Changes SeriesHistory::changes() const {
  Changes changes = final_;
  std::erase_if(changes.suspects,
                [this](const ChangePoint& old) { return old.index + kFreshPoints < appended_; });
  const std::vector<ChangePoint> confirmed = open_confirmed();
  std::ranges::copy(confirmed, std::back_inserter(changes.confirmed));
  std::ranges::copy(open_suspects(confirmed), std::back_inserter(changes.suspects));
  return changes;
}

std::vector<ChangePoint> SeriesHistory::open_confirmed() const {
  const Standardised series = standardised(levels_);
  return described(series, tier_breaks(series, forgotten_ + levels_.size(), kConfirmedTier));
}

std::vector<ChangePoint> SeriesHistory::open_suspects(std::span<const ChangePoint> confirmed) const {
  const std::span<const double> levels = levels_;
  const Standardised series = standardised(levels.last(std::min(levels.size(), kWatchedPoints)));
  const std::vector<std::size_t> breaks = tier_breaks(series, forgotten_ + levels_.size(), kSuspectTier);
  std::vector<ChangePoint> suspects = described(series, breaks);
  std::erase_if(suspects, [&](const ChangePoint& suspect) {
    return suspect.index + kFreshPoints < appended_ ||
           std::ranges::any_of(
               confirmed, [&](const ChangePoint& change) { return is_near(change, suspect.index); });
  });
  return suspects;
}

// `series` is the end of the open part.
std::vector<ChangePoint> SeriesHistory::described(const Standardised& series,
                                                  std::span<const std::size_t> breaks) const {
  std::vector<ChangePoint> changes;
  if (breaks.empty()) return changes;
  PrefixSums sums;
  for (const double value : series.values) sums.append(value);
  const std::span<const std::size_t> positions = std::span(positions_).last(series.values.size());
  for (std::size_t k = 0; k < breaks.size(); ++k) {
    const std::size_t begin = k == 0 ? 0 : breaks[k - 1];
    const std::size_t at = breaks[k];
    const std::size_t end = k + 1 < breaks.size() ? breaks[k + 1] : series.values.size();
    ChangePoint change = described_step(series, local_step(sums, begin, at, end));
    change.index = positions[at];
    change.adjacent_before = {.begin = positions[std::max(begin, at - std::min(at, kAdjacentBuilds))],
                              .end = positions[at - 1] + 1};
    change.adjacent_after = {.begin = positions[at],
                             .end = positions[std::min(end, at + kAdjacentBuilds) - 1] + 1};
    changes.push_back(change);
  }
  return changes;
}

ChangePoint SeriesHistory::described_step(const Standardised& series, const LocalStep& step) const {
  const double before = series.middle + step.before * series.scale;
  const double after = series.middle + step.after * series.scale;
  ChangePoint change{.before = before, .after = after, .t = step.t, .absolute = !logarithmic_};
  if (logarithmic_) {
    change.before = std::exp(before);
    change.after = std::exp(after);
    change.effect = std::expm1(after - before);
  } else {
    change.effect = (after - before) / std::abs(before != 0 ? before : after);
  }
  return change;
}

Changes change_points(std::span<const double> values, std::span<const std::uint32_t> labels) {
  SeriesHistory history({.watch = false});
  for (std::size_t i = 0; i < values.size(); ++i) history.append(values[i], labels.empty() ? 0 : labels[i]);
  return history.changes();
}

std::vector<double> pooled_runs(std::span<const std::span<const double>> runs, const PointRange& range) {
  std::vector<double> pooled;
  for (const std::span<const double> build : runs.subspan(range.begin, range.end - range.begin))
    pooled.insert(pooled.end(), build.begin(), build.end());
  return pooled;
}

}  // namespace kilter::analyse
