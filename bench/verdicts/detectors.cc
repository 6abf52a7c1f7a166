#include "verdicts/detectors.h"

#include "analyse/change_points.h"
#include "analyse/distributions.h"
#include "analyse/order_statistics.h"
#include "analyse/samples.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace kilter::verdicts {
namespace {

using Values = std::span<const double>;

Breaks ours(Values values) {
  Breaks found;
  for (const analyse::ChangePoint& change : analyse::change_points(values).confirmed)
    found.push_back(change.index);
  return found;
}

bool is_known(const Breaks& found, std::size_t index) {
  return std::ranges::any_of(found, [index](std::size_t known) {
    return std::max(known, index) - std::min(known, index) <= analyse::kSamePlace;
  });
}

// All that was ever confirmed while the points came one by one, taken back later or not.
Breaks ours_ever(Values values) {
  Breaks found;
  analyse::SeriesHistory history;
  for (std::size_t i = 0; i < values.size(); ++i) {
    history.append(values[i]);
    if (i % analyse::kFreshPoints != 0 && !history.newest_suspect()) continue;
    for (const analyse::ChangePoint& change : history.changes().confirmed)
      if (!is_known(found, change.index)) found.push_back(change.index);
  }
  std::ranges::sort(found);
  return found;
}

Breaks our_suspects(Values values) {
  std::vector<double> logarithms;
  for (const double value : values) logarithms.push_back(std::log(value));
  return tier_breaks(analyse::standardised(logarithms), values.size(), analyse::kSuspectTier);
}

// --- The partition alone, with the Bayesian information criterion's penalty.

Breaks plain_pelt(Values values) {
  const analyse::Standardised series = analyse::standardised(values);
  analyse::Pelt fit(3 * std::log(static_cast<double>(values.size())));
  for (const double value : series.values) fit.append(value);
  return fit.breaks();
}

// --- Two windows side by side, and a statistic that is large where they differ.

Breaks peaks_of(const std::vector<double>& statistic, double limit, std::size_t reach) {
  Breaks peaks;
  for (std::size_t at = 0; at < statistic.size(); ++at) {
    const std::size_t begin = at - std::min(at, reach);
    const std::size_t end = std::min(statistic.size(), at + reach + 1);
    const auto highest = std::max_element(statistic.begin() + static_cast<std::ptrdiff_t>(begin),
                                          statistic.begin() + static_cast<std::ptrdiff_t>(end));
    if (statistic[at] > limit && highest - statistic.begin() == static_cast<std::ptrdiff_t>(at))
      peaks.push_back(at);
  }
  return peaks;
}

bool within(double value, Values values) {
  return value >= std::ranges::min(values) && value <= std::ranges::max(values);
}

// LKP's rule on the five runs before and after: the median of each side lies outside the other's range.
Breaks lkp_windows(Values values) {
  constexpr std::size_t kWindow = 5;
  std::vector<double> statistic(values.size());
  for (std::size_t at = kWindow; at + kWindow <= values.size(); ++at) {
    const Values before = values.subspan(at - kWindow, kWindow);
    const Values after = values.subspan(at, kWindow);
    if (!within(analyse::median(before), after) && !within(analyse::median(after), before))
      statistic[at] = std::abs(analyse::median(after) - analyse::median(before));
  }
  return peaks_of(statistic, 0, kWindow);
}

double squares_of(Values values) {
  const double mean = analyse::mean(values);
  double sum = 0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return sum;
}

double student_t(Values before, Values after) {
  const double a = static_cast<double>(before.size());
  const double b = static_cast<double>(after.size());
  const double step = std::abs(analyse::mean(after) - analyse::mean(before));
  const double variance = (squares_of(before) + squares_of(after)) / (a + b - 2);
  if (variance == 0) return step > 0 ? std::numeric_limits<double>::infinity() : 0;
  return step / std::sqrt(variance * (1 / a + 1 / b));
}

// t > 7 between the twelve points before and after, as Mozilla's Perfherder asks.
Breaks t_windows(Values values) {
  constexpr std::size_t kWindow = 12;
  std::vector<double> statistic(values.size());
  for (std::size_t at = kWindow; at + kWindow <= values.size(); ++at)
    statistic[at] = student_t(values.subspan(at - kWindow, kWindow), values.subspan(at, kWindow));
  return peaks_of(statistic, 7, kWindow);
}

// --- E-divisive means with a t test, in windows of 50, p < .001: the defaults of Otava (Hunter).

constexpr std::size_t kOtavaWindow = 50;
constexpr double kOtavaP = 0.001;

double p_of(Values before, Values after) {
  if (before.size() < 2 || after.size() < 2) return 1;
  return analyse::student_t_two_sided(student_t(before, after),
                                      static_cast<double>(before.size() + after.size() - 2));
}

// Sum of distances between all pairs of one of `a` and one of `b`.
double distances(Values a, Values b) {
  double sum = 0;
  for (const double x : a)
    for (const double y : b) sum += std::abs(x - y);
  return sum;
}

double energy(Values before, Values after) {
  const double a = static_cast<double>(before.size());
  const double b = static_cast<double>(after.size());
  return a * b / (a + b) *
         (2 * distances(before, after) / (a * b) - distances(before, before) / (a * (a - 1)) -
          distances(after, after) / (b * (b - 1)));
}

void divide(Values values, std::size_t offset, Breaks& found) {
  std::size_t best = 0;
  double most = 0;
  for (std::size_t at = 2; at + 2 <= values.size(); ++at) {
    const double here = energy(values.first(at), values.subspan(at));
    if (here <= most) continue;
    most = here;
    best = at;
  }
  if (best == 0 || p_of(values.first(best), values.subspan(best)) > 10 * kOtavaP) return;
  divide(values.first(best), offset, found);
  found.push_back(offset + best);
  divide(values.subspan(best), offset + best, found);
}

double p_at(Values values, const Breaks& breaks, std::size_t k) {
  const std::size_t begin = k == 0 ? 0 : breaks[k - 1];
  const std::size_t end = k + 1 < breaks.size() ? breaks[k + 1] : values.size();
  return p_of(values.subspan(begin, breaks[k] - begin), values.subspan(breaks[k], end - breaks[k]));
}

void merge_weakest(Values values, Breaks& breaks) {
  while (!breaks.empty()) {
    std::size_t weakest = 0;
    for (std::size_t k = 1; k < breaks.size(); ++k)
      if (p_at(values, breaks, k) > p_at(values, breaks, weakest)) weakest = k;
    if (p_at(values, breaks, weakest) <= kOtavaP) return;
    breaks.erase(breaks.begin() + static_cast<std::ptrdiff_t>(weakest));
  }
}

Breaks otava_like(Values values) {
  Breaks found;
  for (std::size_t begin = 0; begin < values.size(); begin += kOtavaWindow / 2)
    divide(values.subspan(begin, std::min(kOtavaWindow, values.size() - begin)), begin, found);
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  merge_weakest(values, found);
  return found;
}

}  // namespace

std::span<const Detector> detectors() {
  static constexpr std::array kDetectors = {
      Detector{"kilter, confirmed", ours},
      Detector{"kilter, ever confirmed", ours_ever},
      Detector{"kilter, suspects", our_suspects},
      Detector{"PELT, 3 ln n", plain_pelt},
      Detector{"t > 7, 12 a side (Mozilla)", t_windows},
      Detector{"E-divisive, t test (Otava)", otava_like},
      Detector{"LKP's rule, 5 a side", lkp_windows},
  };
  return kDetectors;
}

}  // namespace kilter::verdicts
