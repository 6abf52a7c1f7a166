#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

// Whole series, as Store::series_table() answers them.
namespace kilter::store {

// An `ok` run as a part of series.
struct SeriesRun {
  std::int64_t id = 0;
  std::string commit;
  double started = 0;
  std::string boot_id;
  std::string build_id;
  std::string fingerprint;
  std::string project;
};

// Chosen metrics of all runs of one series.
struct SeriesTable {
  std::vector<SeriesRun> runs;    // by their start
  std::vector<std::string> keys;  // sorted
  std::vector<double> values;     // of key k, run r at [k * runs.size() + r]; NaN: the run lacks it

  [[nodiscard]] std::span<const double> row(std::size_t key) const {
    return std::span(values).subspan(key * runs.size(), runs.size());
  }
};

struct SeriesShape {
  std::vector<std::string> keys;  // of any `ok` run, sorted
  std::size_t runs = 0;           // how many of these there are
};

using KeyFilter = std::function<bool(const std::string& key)>;

}  // namespace kilter::store
