#include "analyse/direction.h"

#include "analyse/column.h"
#include "analyse/key_lists.h"
#include "model/run.h"

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

// By the rule that judged the row.
bool is_change(const model::CompareRow& row, std::size_t column) {
  if (row.verdicts.empty()) return exceeds_noise(row.cells[0], row.cells[column]);
  const std::optional<model::RowVerdict>& verdict = row.verdicts[column - 1];
  return verdict && verdict->answer == model::Answer::changed;
}

bool may_head(const model::CompareRow& row, std::size_t column) {
  if (row.failure || row.absolute || row.info.direction == model::Direction::unknown) return false;
  if (column >= row.cells.size() || column > row.changes.size()) return false;
  const double change = row.changes[column - 1];
  return std::isfinite(change) && std::abs(change) >= kSmallestPercent && is_change(row, column);
}

int rank(const model::CompareRow& row) {
  if (row.info.headline) return 3;
  if (throughput_weight(row.key)) return 2;
  return latency_weight(row.key) ? 1 : 0;
}

Verdict verdict_of(const model::CompareRow& row, double change) {
  if (row.info.direction == model::Direction::unknown) return Verdict::change;
  const bool better = (change > 0) == (row.info.direction == model::Direction::higher_better);
  return better ? Verdict::improvement : Verdict::regression;
}

Headline headline_of(const model::CompareRow& row, std::size_t column) {
  const double change = row.changes[column - 1];
  return {.key = row.key,
          .change = change,
          .text = fmt::format("{:.1f}{}", std::abs(change), row.absolute ? "" : "%"),
          .verdict = verdict_of(row, change),
          .column = column,
          .test = row.verdicts.empty() ? std::nullopt : row.verdicts[column - 1]};
}

// The best of the rows that may head a report and pass `wanted`.
template <class Wanted>
std::optional<Headline> best_headline(const model::CompareTable& table, std::size_t column, Wanted wanted) {
  const model::CompareRow* best = nullptr;
  const auto better = [column](const model::CompareRow& a, const model::CompareRow& b) {
    return std::tuple(rank(a), std::abs(a.changes[column - 1])) >
           std::tuple(rank(b), std::abs(b.changes[column - 1]));
  };
  if (column == 0) return std::nullopt;
  for (const model::CompareRow& row : table.rows)
    if (may_head(row, column) && wanted(row) && (best == nullptr || better(row, *best))) best = &row;
  if (best == nullptr) return std::nullopt;
  return headline_of(*best, column);
}

bool fails_more(const model::CompareRow& row, std::size_t column) {
  if (!row.failure || column > row.changes.size()) return false;
  if (!row.verdicts.empty() && !is_change(row, column)) return false;
  const double change = row.changes[column - 1];
  return row.key.ends_with(".pass") ? change < 0 : change > 0;
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
  if (verdict == Verdict::change) return "change";
  return verdict == Verdict::improvement ? "improvement" : "regression";
}

std::optional<Headline> pick_headline(const model::CompareTable& table, std::size_t column) {
  return best_headline(table, column, [](const model::CompareRow&) { return true; });
}

std::optional<Headline> named_headline(const model::CompareTable& table, const std::string& key,
                                       std::size_t column) {
  for (const model::CompareRow& row : table.rows) {
    const bool named = row.key == key || std::ranges::find(row.copies, key) != row.copies.end();
    const bool measured = named && !row.failure && column > 0 && column <= row.changes.size();
    if (measured && std::isfinite(row.changes[column - 1])) return headline_of(row, column);
  }
  return std::nullopt;
}

std::optional<Headline> pick_opposite(const model::CompareTable& table, const Headline& headline) {
  const std::size_t column = headline.column;
  return best_headline(table, column, [&](const model::CompareRow& row) {
    return row.key != headline.key && verdict_of(row, row.changes[column - 1]) != headline.verdict;
  });
}

bool has_changed(const model::CompareTable& table) {
  return std::ranges::any_of(table.rows, [](const model::CompareRow& row) {
    return row.verdicts.empty() ||
           std::ranges::any_of(row.verdicts, [](const std::optional<model::RowVerdict>& verdict) {
             return verdict && verdict->answer == model::Answer::changed;
           });
  });
}

bool has_regressed(const model::CompareTable& table, std::size_t column) {
  if (column == 0) return false;
  const std::optional<Headline> headline = pick_headline(table, column);
  if (headline && headline->verdict == Verdict::regression) return true;
  const std::string infra = "last_state." + std::string(model::outcome_name(model::Outcome::infra_failed));
  // Beside rows of outcomes, the mark counts the machine's faults too.
  const bool outcomes = std::ranges::any_of(table.rows, [](const model::CompareRow& row) {
    return row.key.starts_with("last_state.") && row.key != kIncompleteRun;
  });
  return std::ranges::any_of(table.rows, [&](const model::CompareRow& row) {
    return fails_more(row, column) && row.key != infra && !(outcomes && row.key == kIncompleteRun);
  });
}

}  // namespace kilter::analyse
