#pragma once

#include "model/number.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kilter::model {

// One key of one program or monitor over the time of a run, e.g. "vmstat.system.cs".
struct Series {
  std::string key;
  std::vector<Number> values;
  // Indices into values where nothing was recorded and a 0 stands in its place, ascending; the file does not
  // keep them.
  std::vector<std::uint32_t> gaps;
};

// All a program or monitor said in one run: the content of `<name>.json`. Keys carry the `<name>.` prefix.
struct SeriesFile {
  std::string name;  // "vmstat", "stress-ng", "stress-ng.time"
  std::vector<Series> series;
};

// One scalar of a run: the content of stats.json.
struct Metric {
  std::string key;
  Number value;
};
using Metrics = std::vector<Metric>;  // sorted by key, each key once

// Runs side by side: the content of a group's matrix.json. A missing sample is missing (nullopt), never 0.
struct MatrixRow {
  std::string key;
  std::vector<std::optional<Number>> values;  // one per column; shorter rows lack their last columns
};
struct Matrix {
  std::vector<std::string> sources;  // LKP's stats_source: one run's stats.json path per column
  std::vector<MatrixRow> rows;       // in first-seen order
  [[nodiscard]] std::size_t columns() const;
  [[nodiscard]] const MatrixRow* find(const std::string& key) const;
};

// What is known of a metric beyond its number.
enum class Direction { unknown, higher_better, lower_better };
struct MetricInfo {
  std::string unit;  // "ops/s", "ms", "%", "" unknown
  Direction direction = Direction::unknown;
  bool headline = false;  // may stand in a report's subject
};

}  // namespace kilter::model
