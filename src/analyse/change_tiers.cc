#include "analyse/change_tiers.h"

#include "analyse/order_statistics.h"
#include "analyse/series_scale.h"

#include <algorithm>
#include <cmath>

namespace kilter::analyse {
namespace {

constexpr double kFarthest = 1e7;  // scales; what lies beyond counts as this far
constexpr int kRefits = 2;
constexpr double kLeastLongRun = 0.5;  // of the scale's square

Pelt partition(std::span<const double> values, double penalty) {
  Pelt fit(penalty);
  for (const double value : values) fit.append(value);
  return fit;
}

// The break between `begin` and `end` that leaves the least residuals.
std::size_t best_split(const PrefixSums& sums, std::size_t begin, std::size_t end) {
  std::size_t best = begin + kLeastSegment;
  double least = sums.cost(begin, best) + sums.cost(best, end);
  for (std::size_t at = best + 1; at + kLeastSegment <= end; ++at) {
    const double cost = sums.cost(begin, at) + sums.cost(at, end);
    if (cost < least) {
      least = cost;
      best = at;
    }
  }
  return best;
}

struct Side {
  double count = 0;
  double mean = 0;
  double squares = 0;  // of the residuals
};

Side side_of(const PrefixSums& sums, std::size_t begin, std::size_t end) {
  return {.count = static_cast<double>(end - begin),
          .mean = sums.mean(begin, end),
          .squares = sums.cost(begin, end)};
}

// Standard errors of the difference of the means, as Student and as Welch have them.
double pooled_error(const Side& before, const Side& after) {
  const double variance = (before.squares + after.squares) / std::max(before.count + after.count - 2, 1.0);
  return std::sqrt(std::max(variance, kLeastLocalVariance) * (1 / before.count + 1 / after.count));
}

double error_squared(const Side& side) {
  return std::max(side.squares / std::max(side.count - 1, 1.0), kLeastLocalVariance) / side.count;
}

double separate_error(const Side& before, const Side& after) {
  return std::sqrt(error_squared(before) + error_squared(after));
}

// Breaks with the ends of the series about them, and the t of each.
class WeakestFirst {
 public:
  WeakestFirst(const PrefixSums& sums, std::vector<std::size_t> breaks)
      : sums_(sums), edges_(std::move(breaks)) {
    edges_.insert(edges_.begin(), 0);
    edges_.push_back(sums.size());
    t_.resize(edges_.size());
    for (std::size_t k = 1; k + 1 < edges_.size(); ++k) measure(k);
  }

  // Its place among the edges; 0 when none is below `least_t`.
  [[nodiscard]] std::size_t weakest_below(double least_t) const {
    std::size_t weakest = 0;
    for (std::size_t k = 1; k + 1 < edges_.size(); ++k)
      if (t_[k] < least_t && (weakest == 0 || t_[k] < t_[weakest])) weakest = k;
    return weakest;
  }

  void remove(std::size_t k) {
    edges_.erase(edges_.begin() + static_cast<std::ptrdiff_t>(k));
    t_.erase(t_.begin() + static_cast<std::ptrdiff_t>(k));
    relocate(k - 1);
    relocate(k);
    for (std::size_t near = k < 2 ? 1 : k - 2; near <= k + 1; ++near) measure(near);
  }

  [[nodiscard]] std::vector<std::size_t> breaks() const { return {edges_.begin() + 1, edges_.end() - 1}; }

 private:
  [[nodiscard]] bool is_break(std::size_t k) const { return k > 0 && k + 1 < edges_.size(); }
  void relocate(std::size_t k) {
    if (is_break(k)) edges_[k] = best_split(sums_, edges_[k - 1], edges_[k + 1]);
  }
  void measure(std::size_t k) {
    if (is_break(k)) t_[k] = local_step(sums_, edges_[k - 1], edges_[k], edges_[k + 1]).t;
  }

  const PrefixSums& sums_;
  std::vector<std::size_t> edges_;
  std::vector<double> t_;
};

std::vector<std::size_t> prune(const Pelt& fit, double least_t) {
  WeakestFirst pruned(fit.sums(), fit.breaks());
  for (std::size_t k = pruned.weakest_below(least_t); k > 0; k = pruned.weakest_below(least_t))
    pruned.remove(k);
  return pruned.breaks();
}

}  // namespace

double Standardised::of(double value) const {
  return std::clamp((value - middle) / scale, -kFarthest, kFarthest);
}

Standardised standardised(std::span<const double> values) {
  Standardised series;
  series.scale = robust_scale(values);
  if (series.scale == 0) return series;
  series.middle = median(values);
  series.values.reserve(values.size());
  for (const double value : values) series.values.push_back(series.of(value));
  return series;
}

double tier_penalty(std::span<const double> values, std::size_t length, const Tier& tier) {
  const double unit = tier.penalty * std::log(static_cast<double>(std::max(length, kLeastLength)));
  double penalty = unit;
  for (int i = 0; i < kRefits && !values.empty(); ++i) {
    const std::vector<std::size_t> breaks = partition(values, penalty).breaks();
    const double variance = residual_noise(values, breaks).long_run_variance();
    penalty = unit * std::max(variance, kLeastLongRun);
  }
  return penalty;
}

LocalStep local_step(const PrefixSums& sums, std::size_t begin, std::size_t at, std::size_t end) {
  const std::size_t from = std::max(begin, at - std::min(at, kLocalPoints));
  const std::size_t to = std::min(end, at + kLocalPoints);
  const Side before = side_of(sums, from, at);
  const Side after = side_of(sums, at, to);
  double error = pooled_error(before, after);
  if (std::min(before.count, after.count) < kFewPoints)
    error = std::max(error, separate_error(before, after));
  return {.before = before.mean, .after = after.mean, .t = std::abs(after.mean - before.mean) / error};
}

std::vector<std::size_t> tier_breaks(const Standardised& series, std::size_t length, const Tier& tier) {
  if (series.scale == 0) return {};
  const std::vector<double> values = tier.clip > 0 ? winsorised(series.values, tier.clip) : series.values;
  const Pelt fit = partition(values, tier_penalty(values, length, tier));
  return tier.least_t > 0 ? prune(fit, tier.least_t) : fit.breaks();
}

}  // namespace kilter::analyse
