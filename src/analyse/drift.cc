#include "analyse/drift.h"

#include <cmath>
#include <limits>
#include <map>

namespace kilter::analyse {
namespace {

constexpr double kFewestDegrees = 8;
constexpr double kEvident = 5;

struct GroupMeans {
  double n = 0;
  double time = 0;
  double value = 0;
};

std::map<std::size_t, GroupMeans> group_means(std::span<const TimedSample> samples) {
  std::map<std::size_t, GroupMeans> means;
  for (const TimedSample& sample : samples) {
    GroupMeans& group = means[sample.group];
    ++group.n;
    group.time += (sample.time - group.time) / group.n;
    group.value += (sample.value - group.value) / group.n;
  }
  return means;
}

}  // namespace

std::optional<Drift> drift_of(std::span<const TimedSample> samples) {
  const std::map<std::size_t, GroupMeans> means = group_means(samples);
  Drift drift{.df = static_cast<double>(samples.size()) - static_cast<double>(means.size()) - 1};
  if (drift.df < kFewestDegrees) return std::nullopt;
  double tt = 0;
  double tv = 0;
  double vv = 0;
  for (const TimedSample& sample : samples) {
    const GroupMeans& group = means.at(sample.group);
    const double time = sample.time - group.time;
    const double value = sample.value - group.value;
    tt += time * time;
    tv += time * value;
    vv += value * value;
  }
  if (!(tt > 0) || !std::isfinite(tt) || !std::isfinite(vv)) return std::nullopt;
  drift.slope = tv / tt;
  const double rest = std::max(0., vv - drift.slope * tv);
  const double error = std::sqrt(rest / drift.df / tt);
  if (error > 0) drift.t = drift.slope / error;
  if (!(error > 0) && drift.slope != 0)
    drift.t = std::copysign(std::numeric_limits<double>::infinity(), drift.slope);
  return drift;
}

bool is_evident(const Drift& drift) {
  return std::abs(drift.t) > kEvident;
}

}  // namespace kilter::analyse
