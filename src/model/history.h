#pragma once

#include "model/axes.h"
#include "model/series.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

// The history of one metric as data: what robot gathers, analyse judges and report draws.
namespace kilter::model {

// One commit, measured on machines that are alike.
struct HistoryPoint {
  std::string commit;   // as its runs are stored
  std::string subject;  // "" when not from git
  double started = 0;   // of its first run, seconds since 1970; 0: unknown
  double value = 0;     // the median of its boots' medians; NaN when no run has a number
  std::vector<double> runs;
  std::string build_id;     // of what was measured; "" unknown, or several builds
  std::size_t stretch = 0;  // unlike machines have different ones; their points stand one after the other
  std::int64_t place = -1;  // on the line of commits; -1: on none
};

// A change of level between two neighbouring points of one stretch.
struct HistoryChange {
  bool confirmed = true;  // else a suspect: more runs will tell
  std::size_t index = 0;  // the first point of the new level
  double before = 0;      // levels, in the unit of the metric
  double after = 0;
  double effect = 0;  // after / before - 1; of `absolute` ones (after - before) / |before|
  double low = 0;     // 99 % interval of the effect; infinite: unknown
  double high = 0;
  bool absolute = false;
  Direction direction = Direction::unknown;  // of the metric
  std::size_t points_before = 0;             // that the interval is made of
  std::size_t points_after = 0;
  std::size_t runs_before = 0;
  std::size_t runs_after = 0;
  std::int64_t untested = -1;  // commits between the two points; -1: unknown
  bool same_build = false;     // the two points measured one and the same program, byte for byte
};
// "improvement", "regression", or "change" where nobody knows which way is better.
[[nodiscard]] std::string change_verdict(const HistoryChange& change);

struct HistoryLevel {
  std::size_t begin = 0;  // points
  std::size_t end = 0;
  double value = 0;
  double low = 0;  // where nine of ten points of its scatter lie
  double high = 0;
};

struct HistorySplit {
  std::size_t index = 0;  // first point of the next stretch
  std::string why;        // "machines differ: governor (performance, powersave)"
};

struct MetricHistory {
  Axes axes;  // without the commit
  std::string key;
  MetricInfo info;
  std::string project;  // "" for results of none
  std::string line;     // "main": along its first parents; "" in the order of time
  std::vector<HistoryPoint> points;
  std::vector<HistoryLevel> levels;
  std::vector<HistoryChange> changes;  // ascending, confirmed and suspects
  std::vector<HistorySplit> splits;
  std::vector<std::string> notes;  // what was left out and why
};

// One change among those of a whole database.
struct FoundChange {
  Axes axes;  // of its series, without the commit
  std::string key;
  MetricInfo info;
  std::string project;
  HistoryChange change;
  std::string last_good;  // commits: the last of the old level
  std::string first_bad;  // and the first of the new one
  std::string subject;    // of the latter
  double date = 0;        // when that was first measured
};

struct FoundChanges {
  std::vector<FoundChange> changes;  // newest first
  std::size_t confirmed = 0;         // of all, the ones beyond the limit too
  std::size_t suspects = 0;
  std::size_t series = 0;  // looked at: a metric each
  std::size_t points = 0;
  std::vector<std::string> notes;
};

// Where the stretches after the first begin.
[[nodiscard]] std::vector<std::size_t> split_places(const MetricHistory& history);

// Forgets the points before `first`, and the changes to them.
void keep_from(MetricHistory& history, std::size_t first);

}  // namespace kilter::model
