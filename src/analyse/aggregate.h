#pragma once

#include "model/series.h"

#include <optional>
#include <span>
#include <string>

// The series of one run -> its metrics, the content of stats.json.
namespace kilter::analyse {

// How a key becomes one number.
enum class Kind {
  mean,
  event_counter,        // last - first
  independent_counter,  // sum
};
[[nodiscard]] Kind kind_of(std::string_view key, bool as_lkp);
// Does the key also give `<key>.max`?
[[nodiscard]] bool adds_maximum(std::string_view key);

struct AggregateOptions {
  // stats_part_begin, stats_part_end of a job, seconds.
  std::optional<double> part_begin;
  std::optional<double> part_end;
  // LKP's numbers to the letter: means divide by the longest series of the file, softirqs are means, keys are
  // in the files' order. Otherwise a mean is over what was recorded, softirqs are counters, `<test>.time.*`
  // is summed like `time.*`, the per-CPU keys of sched_debug are left out, and metrics are sorted by key.
  bool as_lkp = false;
};

// Files in the order of their names. Each key once; a later one replaces.
[[nodiscard]] model::Metrics aggregate(std::span<const model::SeriesFile> files,
                                       const AggregateOptions& options = {});

}  // namespace kilter::analyse
