#include "report/table.h"

#include "report/clean.h"

#include <fmt/core.h>
#include <fmt/format.h>

#include <cmath>
#include <iterator>

namespace kilter::report {
namespace {

constexpr std::size_t kRule = 89;
constexpr std::size_t kFirstWidth = 16;  // average 10, stddev 6
constexpr std::size_t kOtherWidth = 27;  // change 11 before them
constexpr std::size_t kCountWidth = 4;   // of the sample count, in our style
constexpr double kShownPercent = 2;
constexpr double kManyDigits = 1e5;
constexpr int kMostPercent = 999999;

constexpr std::string_view kGreen = "\033[32m";
constexpr std::string_view kRed = "\033[31m";
constexpr std::string_view kPlain = "\033[0m";

using Out = std::back_insert_iterator<std::string>;

std::string lined_up(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) {
    if (&part != parts.data()) text += '/';
    text += one_line(part);
  }
  return text;
}

// One table in one style; `text_` grows.
class Writer {
 public:
  Writer(const model::CompareTable& table, const TableOptions& options)
      : table_(table), options_(options), ours_(options.style == TableStyle::kilter) {}

  std::string write() {
    text_.reserve(4096 + table_.rows.size() * (90 + 30 * table_.columns.size()));
    axes();
    titles();
    block(true);
    block(false);
    text_ += '\n';
    if (ours_) notes();
    return std::move(text_);
  }

 private:
  void axes() {
    text_.append(kRule, '=');
    text_ += '\n' + lined_up(table_.axis_names) + ":\n  " + lined_up(table_.axis_values) + "\n\n";
    text_ += one_line(table_.compare_axis) + ": \n";
    for (const model::CompareColumn& column : table_.columns)
      text_ += "  " + one_line(column.label.empty() ? column.commit : column.label) + "\n";
    text_ += '\n';
  }

  void titles() {
    std::string dashes;
    for (std::size_t i = 0; i < table_.columns.size(); ++i) {
      const std::size_t shown = i == 0 ? kFirstWidth : kOtherWidth;
      const std::size_t width = shown + (ours_ ? kCountWidth : 0);
      fmt::format_to(Out(text_), "{:>{}} ", one_line(table_.columns[i].commit).substr(0, shown), shown);
      text_.append(width - shown, ' ');
      dashes += std::string(width, '-') + " ";
    }
    text_ += '\n' + dashes + '\n';
  }

  void block(bool failures) {
    bool headed = false;
    for (const model::CompareRow& row : table_.rows) {
      if (row.failure != failures) continue;
      if (!headed) failures ? failure_header() : measured_header();
      headed = true;
      failures ? failure_row(row) : measured_row(row);
    }
  }

  void header_line(std::string_view first, std::string_view others) {
    text_ += first;
    for (std::size_t i = 1; i < table_.columns.size(); ++i) text_ += others;
    text_ += '\n';
  }

  void failure_header() {
    if (ours_) {
      header_line("       fail:runs    ", "  %reproduction    fail:runs    ");
      header_line("           |        ", "         |             |        ");
    } else {
      header_line("       fail:runs", "  %reproduction    fail:runs");
      header_line("           |    ", "         |             |    ");
    }
  }

  void measured_header() {
    if (ours_) {
      header_line("         %stddev   n", "     %change         %stddev   n");
      header_line("             \\     |", "        |                \\     |");
    } else {
      header_line("         %stddev", "     %change         %stddev");
      header_line("             \\  ", "        |                \\  ");
    }
  }

  void failure_row(const model::CompareRow& row) {
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      if (i > 0) coloured(row, i, reproduction(row.changes[i - 1]));
      const model::CellSummary& cell = row.cells[i];
      const std::string fails = cell.fails == 0 ? "" : fmt::format("{}", cell.fails);
      fmt::format_to(Out(text_), "{:>11}:{:<4d}", fails, cell.runs);
      if (ours_) text_.append(kCountWidth, ' ');
    }
    end_row(row);
  }

  static std::string reproduction(double change) {
    return std::isnan(change) ? fmt::format("{:>10}  ", "-") : fmt::format("{:10.0f}% ", change);
  }

  void measured_row(const model::CompareRow& row) {
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      if (i > 0) coloured(row, i, change_text(row, i));
      cell(row.cells[i]);
    }
    end_row(row);
  }

  static std::string change_text(const model::CompareRow& row, std::size_t column) {
    const double change = row.changes[column - 1];
    if (std::isnan(change)) return fmt::format("{:>10}  ", absence(row.cells[0], row.cells[column]));
    const std::string_view unit = row.absolute ? "  " : "% ";
    if (std::abs(change) >= kManyDigits) return fmt::format("{:>+10.2g}{}", change, unit);
    return fmt::format("{:>+10.1f}{}", change, unit);
  }

  static std::string_view absence(const model::CellSummary& base, const model::CellSummary& other) {
    if (other.present) return "new";
    return base.present ? "gone" : "-";
  }

  void cell(const model::CellSummary& cell) {
    const std::string average = cell.present ? model::average_text(cell.average) : "-";
    fmt::format_to(Out(text_), "{:>10}{}", average, cell.present ? deviation(cell) : "      ");
    if (ours_) fmt::format_to(Out(text_), "{:>4}", cell.n);
  }

  // Shown above 2 %, cut to an integer. Of an average of zero, the deviation itself.
  static std::string deviation(const model::CellSummary& cell) {
    const double percent = cell.average == 0 ? cell.stddev : 100 * cell.stddev / cell.average;
    if (!(percent > kShownPercent)) return "      ";
    return fmt::format(" \u00b1{:3d}%", static_cast<int>(std::min<double>(percent, kMostPercent)));
  }

  void coloured(const model::CompareRow& row, std::size_t column, const std::string& change) {
    const double value = row.changes[column - 1];
    const bool plain = !options_.colour || std::isnan(value) || value == 0 ||
                       (!row.failure && row.info.direction == model::Direction::unknown);
    if (plain) {
      text_ += change;
      return;
    }
    const bool up_is_better = !row.failure && row.info.direction == model::Direction::higher_better;
    text_ += (value > 0) == up_is_better ? kGreen : kRed;
    text_ += change;
    text_ += kPlain;
  }

  void end_row(const model::CompareRow& row) {
    text_ += "  ";
    text_ += one_line(row.key);
    if (ours_ && !row.info.unit.empty()) text_ += " [" + one_line(row.info.unit) + "]";
    if (ours_ && !row.copies.empty()) copies(row);
    text_ += '\n';
  }

  void copies(const model::CompareRow& row) {
    text_ += "  (also: ";
    for (const std::string& copy : row.copies) {
      if (&copy != row.copies.data()) text_ += ", ";
      text_ += one_line(copy);
    }
    text_ += ')';
  }

  void notes() {
    if (table_.warning) text_ += "warning: " + one_line(*table_.warning) + "\n";
    for (const std::string& note : table_.notes) text_ += "note: " + one_line(note) + "\n";
  }

  const model::CompareTable& table_;
  const TableOptions& options_;
  bool ours_;
  std::string text_;
};

}  // namespace

std::string table_text(const model::CompareTable& table, const TableOptions& options) {
  return Writer(table, options).write();
}

}  // namespace kilter::report
