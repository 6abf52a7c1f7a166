#include "analyse/column.h"

#include "analyse/key_lists.h"

#include <algorithm>
#include <cmath>

namespace kilter::analyse {
namespace {

constexpr std::string_view kSources = "stats_source";

bool is_set(const std::optional<model::Number>& value) {
  return value && value->value() == 1;
}

}  // namespace

Column::Column(const model::Matrix& matrix)
    : matrix_(&matrix), incomplete_(matrix.columns(), false), complete_runs_(incomplete_.size()) {
  const model::MatrixRow* marks = matrix.find(std::string(kIncompleteRun));
  if (marks == nullptr) return;
  marks_incomplete_ = true;
  for (std::size_t run = 0; run < std::min(marks->values.size(), incomplete_.size()); ++run)
    incomplete_[run] = is_set(marks->values[run]);
  complete_runs_ -= static_cast<std::size_t>(std::ranges::count(incomplete_, true));
}

std::size_t Column::runs(Runs which) const {
  return which == Runs::all ? incomplete_.size() : complete_runs_;
}

void Column::append_samples(const model::MatrixRow* row, Runs which, bool missing_is_zero,
                            std::vector<model::Number>& samples) const {
  for (std::size_t run = 0; run < incomplete_.size(); ++run) {
    if (which == Runs::complete && incomplete_[run]) continue;
    const bool has_value = row != nullptr && run < row->values.size() && row->values[run] &&
                           std::isfinite(row->values[run]->value());
    if (has_value)
      samples.push_back(*row->values[run]);
    else if (missing_is_zero)
      samples.emplace_back(0);
  }
}

void Column::append_values(const model::MatrixRow* row, Runs which, double missing,
                           std::vector<double>& values) const {
  for (std::size_t run = 0; run < incomplete_.size(); ++run) {
    if (!counts(run, which)) continue;
    const bool has_value = row != nullptr && run < row->values.size() && row->values[run] &&
                           std::isfinite(row->values[run]->value());
    values.push_back(has_value ? row->values[run]->value() : missing);
  }
}

KeyTable::KeyTable(std::span<const Column> columns) : columns_(columns.size()), programs_(columns.size()) {
  std::size_t most = 0;
  for (const Column& column : columns) most = std::max(most, column.matrix().rows.size());
  index_.reserve(most + most / 4);
  for (std::size_t column = 0; column < columns.size(); ++column)
    add_column(columns[column].matrix(), column);
}

// Rows of one program mostly follow each other.
void KeyTable::add_column(const model::Matrix& matrix, std::size_t column) {
  std::string_view program;
  for (const model::MatrixRow& row : matrix.rows) {
    add(row, column);
    if (base_of(row.key) == program) continue;
    program = base_of(row.key);
    programs_[column].insert(program);
  }
}

void KeyTable::add(const model::MatrixRow& row, std::size_t column) {
  if (row.key == kSources) return;
  const auto [it, added] = index_.try_emplace(row.key, static_cast<std::uint32_t>(keys_.size()));
  if (added) {
    keys_.push_back(row.key);
    rows_.resize(rows_.size() + columns_, nullptr);
  }
  const model::MatrixRow*& place = rows_[it->second * columns_ + column];
  if (place == nullptr) place = &row;
}

bool KeyTable::has(std::string_view key, std::size_t column) const {
  const auto it = index_.find(key);
  return it != index_.end() && row(it->second, column) != nullptr;
}

}  // namespace kilter::analyse
