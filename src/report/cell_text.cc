#include "report/cell_text.h"

#include "report/clean.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace kilter::report {
namespace {

constexpr double kShownPercent = 2;
constexpr double kMostPercent = 999999;
constexpr double kManyDigits = 1e5;
constexpr double kManyWhole = 100;  // decimals say nothing more

std::string_view absence(const model::CellSummary& base, const model::CellSummary& other) {
  if (other.present) return "new";
  return base.present ? "gone" : "-";
}

const model::RowVerdict* verdict_of(const model::CompareRow& row, std::size_t column) {
  if (row.verdicts.size() < column || !row.verdicts[column - 1]) return nullptr;
  return &*row.verdicts[column - 1];
}

// A measured row's, where effects have a meaning.
const model::RowVerdict* effect_of(const model::CompareRow& row, std::size_t column) {
  const model::RowVerdict* const verdict = row.failure ? nullptr : verdict_of(row, column);
  if (verdict == nullptr || (verdict->from_zero && !row.absolute)) return nullptr;
  return std::isfinite(verdict->resolution) ? verdict : nullptr;
}

std::string difference_text(double difference) {
  const bool small = difference != 0 && std::abs(difference) < 1;
  if (std::abs(difference) >= kManyDigits) return fmt::format("{:+.2g}", difference);
  if (std::abs(difference) >= kManyWhole) return fmt::format("{:+.0f}", difference);
  return small ? fmt::format("{:+#.2g}", difference) : fmt::format("{:+.1f}", difference);
}

}  // namespace

std::string interval_text(const model::CompareRow& row, std::size_t column) {
  const model::RowVerdict* const verdict = effect_of(row, column);
  if (verdict == nullptr) return "-";
  if (!row.absolute) return model::interval_percent(*verdict);
  return difference_text(verdict->low * verdict->base) + ".." +
         difference_text(verdict->high * verdict->base);
}

std::string resolution_text(const model::CompareRow& row, std::size_t column) {
  const model::RowVerdict* const verdict = effect_of(row, column);
  if (verdict == nullptr) return "-";
  if (row.absolute) return difference_text(verdict->resolution * verdict->base).substr(1);
  return model::percent_figure(verdict->resolution) + "%";
}

std::string count_text(const model::CompareRow& row, std::size_t column) {
  const model::RowVerdict* const verdict = verdict_of(row, column);
  if (verdict != nullptr) return model::evidence_count(*verdict);
  return fmt::format("{}+{}", row.cells[0].n, row.cells[column].n);
}

std::string answer_word(const model::CompareRow& row, std::size_t column) {
  const model::RowVerdict* const verdict = verdict_of(row, column);
  return verdict == nullptr ? "-" : std::string(model::answer_name(verdict->answer));
}

std::string p_text(const model::CompareRow& row, std::size_t column) {
  constexpr double kTiny = 1e-4;
  const model::RowVerdict* const verdict = verdict_of(row, column);
  if (verdict == nullptr) return "-";
  return verdict->p < kTiny ? "p<.0001" : fmt::format("p={:.2g}", verdict->p);
}

std::string row_remark(const model::CompareRow& row) {
  for (const std::optional<model::RowVerdict>& verdict : row.verdicts)
    if (verdict && !verdict->copy_of.empty()) return "moves with " + verdict->copy_of;
  return "";
}

bool tells_answers(const model::CompareTable& table) {
  return table.has_verdicts && std::ranges::any_of(table.rows, [](const model::CompareRow& row) {
           return std::ranges::any_of(row.verdicts, [](const std::optional<model::RowVerdict>& verdict) {
             return !verdict || verdict->answer != model::Answer::changed;
           });
         });
}

std::string change_title(const model::CompareTable& table, bool failures) {
  if (failures) return "%reproduction";
  return table.has_verdicts ? "effect" : "%change";
}

std::vector<std::string> verdict_titles(const model::CompareTable& table, bool failures) {
  if (!table.has_verdicts) return {};
  std::vector<std::string> titles = {"99 % interval", "n", "shows"};
  if (failures) titles = {"chance"};
  if (tells_answers(table)) titles.emplace_back("answer");
  return titles;
}

std::vector<std::string> verdict_cells(const model::CompareTable& table, const model::CompareRow& row,
                                       std::size_t column) {
  if (!table.has_verdicts) return {};
  std::vector<std::string> cells = {interval_text(row, column), count_text(row, column),
                                    resolution_text(row, column)};
  if (row.failure) cells = {p_text(row, column)};
  if (tells_answers(table)) cells.push_back(answer_word(row, column));
  return cells;
}

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

std::string_view tone_word(Tone tone) {
  if (tone == Tone::plain) return "";
  return tone == Tone::better ? "improvement" : "regression";
}

Tone change_tone(const model::CompareRow& row, std::size_t column) {
  const double change = row.changes[column - 1];
  if (std::isnan(change) || change == 0) return Tone::plain;
  const model::RowVerdict* const verdict = verdict_of(row, column);
  if (!row.verdicts.empty() && (verdict == nullptr || verdict->answer != model::Answer::changed))
    return Tone::plain;
  if (!row.failure && row.info.direction == model::Direction::unknown) return Tone::plain;
  const bool up_is_better =
      row.failure ? row.key.ends_with(".pass") : row.info.direction == model::Direction::higher_better;
  return (change > 0) == up_is_better ? Tone::better : Tone::worse;
}

std::string row_word(const model::CompareRow& row) {
  std::string words;
  for (std::size_t column = 1; column <= row.verdicts.size(); ++column) {
    const std::string word(tone_word(change_tone(row, column)));
    if (word.empty() || words.ends_with(word)) continue;
    words += (words.empty() ? "" : "/") + word;
  }
  return words;
}

std::string toned(std::string text, Tone tone) {
  if (tone == Tone::plain) return text;
  return (tone == Tone::better ? "\033[32m" : "\033[31m") + std::move(text) + "\033[0m";
}

std::string row_name(const model::CompareRow& row) {
  std::string text = one_line(row.key);
  if (!row.info.unit.empty()) text += " [" + one_line(row.info.unit) + "]";
  for (const std::string& copy : row.copies)
    text += (&copy == row.copies.data() ? "  (also: " : ", ") + one_line(copy);
  if (!row.copies.empty()) text += ')';
  if (const std::string word = row_word(row); !word.empty()) text += "  " + word;
  return text;
}

}  // namespace kilter::report
