#pragma once

#include "analyse/pelt.h"

#include <cstddef>
#include <span>
#include <vector>

// Where a series without gaps changes its level: two ways to judge the same partition. Pure; values are
// finite.
//
// The penalty of a change is `penalty` * ln(points) * long-run variance. That variance is estimated from the
// residuals, starting with the robust scale of differences: partition, estimate, twice, partition.
// - Suspect: low penalty, spikes cut off. Quick and often wrong; runs are spent on it, nobody is told.
// - Confirmed: high penalty, then the weakest change goes, and its neighbours are fitted anew, until every
//   change shows in a t test of the at most 30 points on each side of it. A side of fewer than 6 points must
//   also stand out from its own scatter: two spikes and an ordinary point are no new level (that alone cuts
//   false alarms on spiky noise to a tenth and costs no power).
// Penalty, t and window were tuned on one half of the SAP HANA data set (18 neighbours of the values are as
// good to .005 of F1). Rejected, measured by bench/verdicts: LKP's rule in a window, a t test in a window
// (Mozilla), E-divisive with a t test (Otava), the partition alone with a BIC penalty.
namespace kilter::analyse {

struct Tier {
  double penalty = 5;
  double clip = 0;     // scales about the rolling median; 0: nothing is clipped
  double least_t = 0;  // 0: every change of the partition stays
};
inline constexpr Tier kSuspectTier{.penalty = 3, .clip = 3};
inline constexpr Tier kConfirmedTier{.penalty = 5, .least_t = 5};

inline constexpr std::size_t kLocalPoints = 30;      // of each side, that t looks at
inline constexpr double kFewPoints = 6;              // fewer on a side are held against their own scatter
inline constexpr double kLeastLocalVariance = 0.01;  // of the scale's square
inline constexpr std::size_t kLeastLength = 50;      // what shorter series count as, for the penalty

// A series in units of its robust scale about its median.
struct Standardised {
  double middle = 0;
  double scale = 0;  // 0: the series is constant, nothing changes
  std::vector<double> values;

  [[nodiscard]] double of(double value) const;
};
[[nodiscard]] Standardised standardised(std::span<const double> values);

// What a change costs in the tier's last partition of `values`, standardised (and clipped). `length`: of the
// whole series, of which `values` may be the last part.
[[nodiscard]] double tier_penalty(std::span<const double> values, std::size_t length, const Tier& tier);

// The two sides of a change.
struct LocalStep {
  double before = 0;  // means of at most kLocalPoints points
  double after = 0;
  double t = 0;  // of their difference; not negative
};
// `begin` < `at` < `end`: the segments that meet at `at`. In the unit of `sums`.
[[nodiscard]] LocalStep local_step(const PrefixSums& sums, std::size_t begin, std::size_t at,
                                   std::size_t end);

// All of the above: first points of new levels, ascending.
[[nodiscard]] std::vector<std::size_t> tier_breaks(const Standardised& series, std::size_t length,
                                                   const Tier& tier);

}  // namespace kilter::analyse
