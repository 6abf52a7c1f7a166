#include "report/table.h"

#include "model/axes.h"
#include "report/cell_text.h"
#include "report/clean.h"
#include "report/verdict_rows.h"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace kilter::report {
namespace {

constexpr std::size_t kRule = 89;
constexpr std::size_t kBaseWidth = 16;   // average 10, stddev 6
constexpr std::size_t kOtherWidth = 27;  // change 11 before them
constexpr std::size_t kCountWidth = 4;   // of the sample count, in our style

using Out = std::back_insert_iterator<std::string>;

std::string lined_up(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) {
    if (&part != parts.data()) text += '/';
    text += one_line(part);
  }
  return text;
}

// A commit cut to its column; what marks its patches ("...+0123456789") is kept, else it would read as the
// unpatched one.
std::string heading(const std::string& commit, std::size_t width) {
  constexpr std::size_t kFewest = 4;  // digits of the sha
  const std::string text = one_line(commit);
  const std::size_t patch = text.size() - std::min(text.find('+'), text.size());
  if (patch == 0 || text.size() <= width || patch + kFewest > width) return text.substr(0, width);
  return model::short_commit(text, width - patch).substr(0, width);
}

// One table in one style; `text_` grows.
class Writer {
 public:
  Writer(const model::CompareTable& table, const TableOptions& options)
      : table_(table), options_(options), ours_(options.style == TableStyle::kilter) {}

  std::string write() {
    text_.reserve(4096 + table_.rows.size() * (90 + 30 * table_.columns.size()));
    if (ours_ && !table_.identical.empty()) text_ += "note: " + one_line(table_.identical) + "\n\n";
    axes();
    if (ours_ && table_.has_verdicts) {
      text_ += verdict_rows(table_, {.heading = heading, .colour = options_.colour});
    } else {
      titles();
      block(true);
      block(false);
    }
    text_ += '\n';
    if (ours_) notes();
    return std::move(text_);
  }

 private:
  void axes() {
    text_.append(kRule, '=');
    text_ += '\n';
    if (!ours_ || !table_.axis_names.empty())
      text_ += lined_up(table_.axis_names) + ":\n  " + lined_up(table_.axis_values) + "\n\n";
    text_ += one_line(table_.compare_axis) + ": \n";
    for (const model::CompareColumn& column : table_.columns)
      text_ += "  " + one_line(column.label.empty() ? column.commit : column.label) + "\n";
    text_ += '\n';
  }

  void titles() {
    std::string dashes;
    for (std::size_t i = 0; i < table_.columns.size(); ++i) {
      const std::size_t shown = i == 0 ? kBaseWidth : kOtherWidth;
      const std::size_t width = shown + (ours_ ? kCountWidth : 0);
      fmt::format_to(Out(text_), "{:>{}} ", heading(table_.columns[i].commit, shown), shown);
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
      if (i > 0) change(row, i);
      const std::string text = failure_text(row.cells[i]);
      const std::size_t colon = text.find(':');
      fmt::format_to(Out(text_), "{:>11}{:<5}", std::string_view(text).substr(0, colon),
                     std::string_view(text).substr(colon));
      if (ours_) text_.append(kCountWidth, ' ');
    }
    end_row(row);
  }

  void measured_row(const model::CompareRow& row) {
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      if (i > 0) change(row, i);
      const std::string deviation = cell_deviation(row.cells[i]);
      fmt::format_to(Out(text_), "{:>10}", cell_average(row.cells[i], options_.style));
      if (deviation.empty())
        text_.append(6, ' ');
      else
        fmt::format_to(Out(text_), " ±{:>4}", deviation);
      if (ours_) fmt::format_to(Out(text_), "{:>4}", row.cells[i].n);
    }
    end_row(row);
  }

  // The number ends in the tenth column, its '%' follows, then a blank.
  void change(const model::CompareRow& row, std::size_t column) {
    const std::string text = change_text(row, column, options_.style);
    const Tone tone = options_.colour ? change_tone(row, column) : Tone::plain;
    const std::size_t width = text.ends_with('%') ? 11 : 10;
    text_ += toned(fmt::format("{:>{}}", text, width), tone);
    text_.append(12 - width, ' ');
  }

  void end_row(const model::CompareRow& row) {
    text_ += "  " + (ours_ ? row_name(row) : one_line(row.key)) + '\n';
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
