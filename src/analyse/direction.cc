#include "analyse/direction.h"

#include "analyse/key_lists.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace kilter::analyse {
namespace {

constexpr int kMonitorPenalty = 100;
constexpr int kNoScore = -255;
constexpr double kSmallestPercent = 0.05;  // prints as 0.1%

std::optional<double> weight_of(std::string_view key) {
  const std::optional<double> weight = throughput_weight(key);
  return weight ? weight : latency_weight(key);
}

bool exceeds_noise(const model::CellSummary& base, const model::CellSummary& other) {
  const double difference = std::abs(other.average - base.average);
  return difference > std::max({0.0, base.stddev, other.stddev});
}

bool may_head(const model::CompareRow& row, std::size_t column) {
  if (row.failure || row.absolute || row.info.direction == model::Direction::unknown) return false;
  if (column >= row.cells.size() || column > row.changes.size()) return false;
  const double change = row.changes[column - 1];
  return std::isfinite(change) && std::abs(change) >= kSmallestPercent &&
         exceeds_noise(row.cells[0], row.cells[column]);
}

int rank(const model::CompareRow& row) {
  if (row.info.headline) return 3;
  if (throughput_weight(row.key)) return 2;
  return latency_weight(row.key) ? 1 : 0;
}

Headline headline_of(const model::CompareRow& row, std::size_t column) {
  const double change = row.changes[column - 1];
  const bool better = (change > 0) == (row.info.direction == model::Direction::higher_better);
  return {.key = row.key,
          .change = change,
          .text = fmt::format("{:.1f}%", std::abs(change)),
          .verdict = better ? Verdict::improvement : Verdict::regression,
          .column = column};
}

}  // namespace

model::Direction direction_of(std::string_view key) {
  const std::optional<double> weight = weight_of(key);
  if (!weight || *weight == 0) return model::Direction::unknown;
  return *weight > 0 ? model::Direction::higher_better : model::Direction::lower_better;
}

int bisect_score(std::string_view key) {
  const std::optional<double> weight = throughput_weight(key);
  if (!weight) return kNoScore;
  return static_cast<int>(*weight) - (is_test_program(base_of(key)) ? 0 : kMonitorPenalty);
}

void sort_bisect_stats(std::vector<std::string>& keys) {
  std::ranges::stable_sort(keys, {}, [](const std::string& key) { return bisect_score(key); });
}

std::string_view verdict_name(Verdict verdict) {
  return verdict == Verdict::improvement ? "improvement" : "regression";
}

std::optional<Headline> pick_headline(const model::CompareTable& table, std::size_t column) {
  const model::CompareRow* best = nullptr;
  const auto better = [column](const model::CompareRow& a, const model::CompareRow& b) {
    return std::tuple(rank(a), std::abs(a.changes[column - 1])) >
           std::tuple(rank(b), std::abs(b.changes[column - 1]));
  };
  if (column == 0) return std::nullopt;
  for (const model::CompareRow& row : table.rows)
    if (may_head(row, column) && (best == nullptr || better(row, *best))) best = &row;
  if (best == nullptr) return std::nullopt;
  return headline_of(*best, column);
}

}  // namespace kilter::analyse
