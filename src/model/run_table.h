#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kilter::model {

// The metrics of many runs, lean: one block of numbers, metric by metric. What a run lacks is NaN.
class RunTable {
 public:
  struct Run {
    std::string directory;
    std::string fingerprint;
    std::string build;
    std::string boot;
    double started = 0;
  };

  RunTable() = default;
  // `keys` are sorted, each once.
  RunTable(std::vector<std::string> keys, std::vector<Run> runs);

  [[nodiscard]] const std::vector<std::string>& keys() const { return keys_; }
  [[nodiscard]] const std::vector<Run>& runs() const { return runs_; }
  // One value a run; empty when no run has the metric.
  [[nodiscard]] std::span<const double> of(std::string_view key) const;
  double& at(std::size_t key, std::size_t run) { return values_[key * runs_.size() + run]; }

 private:
  std::vector<std::string> keys_;
  std::vector<Run> runs_;
  std::vector<double> values_;
};

// The runs of earlier builds of one series.
struct BuildHistory {
  RunTable runs;                    // build after build, oldest first
  std::vector<std::size_t> begins;  // the first run of each build
  std::vector<std::string> commits;

  [[nodiscard]] std::size_t size() const { return begins.size(); }
  // One span a build; empty when no run has the metric.
  [[nodiscard]] std::vector<std::span<const double>> of(std::string_view key) const;
};

}  // namespace kilter::model
