#pragma once

#include "model/series.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace kilter::analyse {

inline constexpr std::string_view kIncompleteRun = "last_state.is_incomplete_run";

// Which runs of a cell count.
enum class Runs { all, complete };

// A matrix as the comparison reads it: its incomplete runs marked, never changed.
class Column {
 public:
  explicit Column(const model::Matrix& matrix);

  [[nodiscard]] const model::Matrix& matrix() const { return *matrix_; }
  [[nodiscard]] std::size_t runs(Runs which) const;
  [[nodiscard]] bool marks_incomplete_runs() const { return marks_incomplete_; }

  [[nodiscard]] bool counts(std::size_t run, Runs which) const {
    return which == Runs::all || !incomplete_[run];
  }

  // Appends one value for each run that counts: `missing` where it has none that is a number.
  void append_values(const model::MatrixRow* row, Runs which, double missing,
                     std::vector<double>& values) const;

  // Appends the samples of `row` (may be null). A run that lacks one gives none, or integer 0 where
  // `missing_is_zero`. What is no number (NaN, infinite) is missing.
  void append_samples(const model::MatrixRow* row, Runs which, bool missing_is_zero,
                      std::vector<model::Number>& samples) const;

 private:
  const model::Matrix* matrix_;
  std::vector<bool> incomplete_;  // one per run
  std::size_t complete_runs_ = 0;
  bool marks_incomplete_ = false;
};

// The keys of all columns, each once, with its row in each column.
class KeyTable {
 public:
  explicit KeyTable(std::span<const Column> columns);

  [[nodiscard]] std::size_t size() const { return keys_.size(); }
  [[nodiscard]] std::string_view key(std::size_t index) const { return keys_[index]; }
  // nullptr where the column lacks the key.
  [[nodiscard]] const model::MatrixRow* row(std::size_t index, std::size_t column) const {
    return rows_[index * columns_ + column];
  }
  [[nodiscard]] bool has(std::string_view key, std::size_t column) const;
  [[nodiscard]] bool has_program(std::string_view program, std::size_t column) const {
    return programs_[column].contains(program);
  }

 private:
  void add_column(const model::Matrix& matrix, std::size_t column);
  void add(const model::MatrixRow& row, std::size_t column);

  std::size_t columns_;
  std::vector<std::string_view> keys_;
  std::vector<const model::MatrixRow*> rows_;
  std::unordered_map<std::string_view, std::uint32_t> index_;
  std::vector<std::unordered_set<std::string_view>> programs_;  // per column
};

}  // namespace kilter::analyse
