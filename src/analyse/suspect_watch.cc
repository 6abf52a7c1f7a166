#include "analyse/suspect_watch.h"

#include "analyse/series_scale.h"

#include <algorithm>

namespace kilter::analyse {
namespace {

constexpr std::size_t kMostUntilRestart = 64;

}  // namespace

void SuspectWatch::restart(std::span<const double> values, std::size_t length) {
  const std::span<const double> watched = values.last(std::min(values.size(), kWatchedPoints));
  series_ = standardised(watched);
  restart_at_ = watched.size() + std::clamp<std::size_t>(watched.size() / 4, 1, kMostUntilRestart);
  if (series_.scale == 0) {
    restart_at_ = 0;
    return;
  }
  fit_ = Pelt(tier_penalty(winsorised(series_.values, kSuspectTier.clip), length, kSuspectTier));
  const std::size_t settled = series_.values.size() - std::min(series_.values.size(), kRollingReach);
  for (std::size_t at = 0; at < settled; ++at) take(at);
  fit_.mark(settled_);
  try_newest();
}

bool SuspectWatch::append(double value) {
  if (series_.values.size() >= restart_at_) return false;
  series_.values.push_back(series_.of(value));
  fit_.rewind(settled_);
  if (series_.values.size() > kRollingReach) take(series_.values.size() - 1 - kRollingReach);
  fit_.mark(settled_);
  try_newest();
  return true;
}

std::optional<std::size_t> SuspectWatch::age() const {
  if (series_.scale == 0 || fit_.last_break() == 0) return std::nullopt;
  return fit_.size() - fit_.last_break();
}

void SuspectWatch::take(std::size_t at) {
  fit_.append(winsorised_at(series_.values, at, kSuspectTier.clip));
}

void SuspectWatch::try_newest() {
  while (fit_.size() < series_.values.size()) take(fit_.size());
}

}  // namespace kilter::analyse
