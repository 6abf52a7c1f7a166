#pragma once

#include "analyse/suspect_watch.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

// The changes in the history of a metric, build by build. Pure; change_tiers.h has the procedure.
//
//   SeriesHistory history;
//   for (const Build& build : builds) history.append(build.median, build.machine);
//   if (history.newest_suspect()) ...     a microsecond a point
//   Changes changes = history.changes();  a millisecond
//
// Values are compared as logarithms where all of them are positive, so effects are ratios. What is no number
// (NaN, infinite, beyond 1e150) is left out and counted. Points are numbered from 0 in the order in which
// they came, left out ones included.
namespace kilter::analyse {

inline constexpr std::size_t kFreshPoints = 20;     // as long is a suspect worth more runs
inline constexpr std::size_t kAdjacentBuilds = 20;  // on each side of a change, whose runs are pooled
inline constexpr std::size_t kSamePlace = 5;        // changes as near to each other are one

struct PointRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

struct ChangePoint {
  std::size_t index = 0;  // the first point of the new level
  // Levels in the unit of the metric: means of logarithms, or of what was measured, over at most 30 points.
  double before = 0;
  double after = 0;
  double effect = 0;  // after / before - 1; where `absolute`, (after - before) / |before| (|after| when 0)
  double t = 0;       // of the step between at most 30 points on each side
  bool absolute = false;  // some value since the last split was not positive
  // The points next to the change on its two levels, at most kAdjacentBuilds: their runs are the samples of
  // the two-sample test that gives the interval (rec.h).
  PointRange adjacent_before;
  PointRange adjacent_after;
};

struct Changes {
  std::vector<ChangePoint> confirmed;  // ascending, as the others
  std::vector<ChangePoint> suspects;   // among the newest kFreshPoints, and not confirmed
  std::vector<std::size_t> splits;     // first points under another label: not compared across
  std::size_t skipped = 0;             // were no numbers
};

struct SeriesHistoryOptions {
  bool watch = true;  // else newest_suspect() never speaks, and append() costs less
};

// The answer depends on the points alone, not on when one asks. At 2,048 points, what lies before the second
// last confirmed change or in the first half becomes final and its points are forgotten: memory is bounded,
// but for the changes.
class SeriesHistory {
 public:
  explicit SeriesHistory(const SeriesHistoryOptions& options = {}) : options_(options) {}

  // `label`: points are compared with those under the same label right before them.
  void append(double value, std::uint32_t label = 0);
  [[nodiscard]] std::size_t size() const { return appended_; }

  // Where the newest level begins, when that is among the newest kFreshPoints and looks like a change. Cheap:
  // from the estimates of scale of a while ago. changes() says more.
  [[nodiscard]] std::optional<std::size_t> newest_suspect() const;
  [[nodiscard]] Changes changes() const;

 private:
  void split(std::size_t position);
  void push(std::size_t position, double value);
  void watch_newest();
  void forget_oldest();
  [[nodiscard]] std::vector<ChangePoint> open_confirmed() const;
  [[nodiscard]] std::vector<ChangePoint> open_suspects(std::span<const ChangePoint> confirmed) const;
  [[nodiscard]] std::vector<ChangePoint> described(const Standardised& series,
                                                   std::span<const std::size_t> breaks) const;
  [[nodiscard]] ChangePoint described_step(const Standardised& series, const LocalStep& step) const;

  SeriesHistoryOptions options_;
  std::size_t appended_ = 0;
  Changes final_;  // its suspects: of earlier stretches
  // The stretch since the last split, less what was forgotten:
  std::uint32_t label_ = 0;
  std::size_t forgotten_ = 0;
  bool logarithmic_ = true;
  std::vector<std::size_t> positions_;
  std::vector<double> values_;
  std::vector<double> levels_;  // logarithms or values
  SuspectWatch watch_;
};

// A whole series at once; the same answer. `labels` is empty or as long as `values`.
[[nodiscard]] Changes change_points(std::span<const double> values,
                                    std::span<const std::uint32_t> labels = {});

// The runs of the builds of a range (ChangePoint::adjacent_before), `runs` by build.
[[nodiscard]] std::vector<double> pooled_runs(std::span<const std::span<const double>> runs,
                                              const PointRange& range);

}  // namespace kilter::analyse
