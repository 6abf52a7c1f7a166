#pragma once

#include "model/series.h"
#include "suite/catalogue.h"

#include <cstddef>
#include <string>

namespace kilter::suite {

// What is known of a metric by its full key ("netperf.Throughput_tps", "vmstat.system.cs",
// "hackbench.time.elapsed_time"): from the suite file, else from the suite's parser (or the parser of that
// name where there is no suite), else from the table of monitors. Monitors' keys and times have a unit at
// most, never a direction.
[[nodiscard]] model::MetricInfo metric_info(const Catalogue& catalogue, const std::string& key);

// The full key of the metric that the suite of `program` calls its headline; "" when there is none, or when
// its name depends on what is measured.
[[nodiscard]] std::string headline_key(const Catalogue& catalogue, const std::string& program);
// Where the suite's file has the metric in its list; behind all of them what only its parser knows, and last
// (npos) what belongs to no suite.
[[nodiscard]] std::size_t metric_rank(const Catalogue& catalogue, const std::string& key);

}  // namespace kilter::suite
