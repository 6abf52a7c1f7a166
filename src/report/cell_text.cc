#include "report/cell_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace kilter::report {
namespace {

constexpr double kShownPercent = 2;
constexpr double kMostPercent = 999999;
constexpr double kManyDigits = 1e5;

std::string_view absence(const model::CellSummary& base, const model::CellSummary& other) {
  if (other.present) return "new";
  return base.present ? "gone" : "-";
}

}  // namespace

std::string cell_average(const model::CellSummary& cell, TableStyle style) {
  if (!cell.present) return "-";
  return style == TableStyle::lkp ? model::average_text(cell.average) : model::figure_text(cell.average);
}

std::string cell_deviation(const model::CellSummary& cell) {
  if (!cell.present) return "";
  const double percent = cell.average == 0 ? cell.stddev : 100 * cell.stddev / cell.average;
  if (!(percent > kShownPercent)) return "";
  return fmt::format("{}%", static_cast<int>(std::min(percent, kMostPercent)));
}

std::string change_text(const model::CompareRow& row, std::size_t column, TableStyle style) {
  const double change = row.changes[column - 1];
  if (std::isnan(change)) return row.failure ? "-" : std::string(absence(row.cells[0], row.cells[column]));
  if (row.failure) return fmt::format("{:.0f}%", change);
  const std::string_view unit = row.absolute ? "" : "%";
  const bool small = row.absolute && change != 0 && std::abs(change) < 1;
  if (small && style == TableStyle::kilter) return fmt::format("{:+#.3g}", change);
  if (std::abs(change) >= kManyDigits) return fmt::format("{:+.2g}{}", change, unit);
  return fmt::format("{:+.1f}{}", change, unit);
}

std::string failure_text(const model::CellSummary& cell) {
  const std::string fails = cell.fails == 0 ? "" : fmt::format("{}", cell.fails);
  return fmt::format("{}:{}", fails, cell.runs);
}

Tone change_tone(const model::CompareRow& row, std::size_t column) {
  const double change = row.changes[column - 1];
  if (std::isnan(change) || change == 0) return Tone::plain;
  if (!row.failure && row.info.direction == model::Direction::unknown) return Tone::plain;
  const bool up_is_better =
      row.failure ? row.key.ends_with(".pass") : row.info.direction == model::Direction::higher_better;
  return (change > 0) == up_is_better ? Tone::better : Tone::worse;
}

}  // namespace kilter::report
