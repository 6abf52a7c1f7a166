#include "report/verdict_rows.h"

#include "report/cell_text.h"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace kilter::report {
namespace {

constexpr std::size_t kSide = 15;  // average 10, spread 5
constexpr std::size_t kAverage = 10;
constexpr std::size_t kEffect = 9;
constexpr std::size_t kInterval = 14;
constexpr std::size_t kCount = 7;
constexpr std::size_t kShows = 7;
constexpr std::size_t kAnswer = 9;

// At least one blank before it.
std::string right(const std::string& text, std::size_t width) {
  return fmt::format(" {:>{}}", text, width - 1);
}

class VerdictWriter {
 public:
  VerdictWriter(const model::CompareTable& table, const VerdictRowsOptions& options)
      : table_(table), options_(options), answers_(tells_answers(table)) {}

  std::string write() {
    titles();
    block(true);
    block(false);
    return std::move(text_);
  }

 private:
  void titles() {
    std::string dashes;
    for (std::size_t i = 0; i < table_.columns.size(); ++i) {
      const std::size_t width = i == 0 ? kSide : kSide + 1 + numbers_width();
      const std::string name = right(options_.heading(table_.columns[i].commit, kSide), kSide);
      text_ += (i == 0 ? "" : " ") + name + std::string(width - std::min(width, name.size()), ' ');
      dashes += (i == 0 ? "" : " ") + std::string(width, '-');
    }
    while (text_.ends_with(' ')) text_.pop_back();
    text_ += '\n' + dashes + '\n';
  }

  [[nodiscard]] std::size_t numbers_width() const {
    return kEffect + kInterval + kCount + kShows - 1 + (answers_ ? kAnswer : 0);
  }

  void block(bool failures) {
    bool headed = false;
    for (const model::CompareRow& row : table_.rows) {
      if (row.failure != failures) continue;
      if (!headed) header(failures);
      headed = true;
      write_row(row);
    }
  }

  void header(bool failures) {
    std::string line = failures ? right("fail:runs", kSide) : right("mean", kAverage) + "  ±%";
    if (!failures) line.append(1, ' ');
    for (std::size_t i = 1; i < table_.columns.size(); ++i) {
      line += ' ';
      line += failures ? right("fail:runs", kSide) : right("mean", kAverage) + "  ±% ";
      line += right(failures ? "rate" : "effect", kEffect) +
              right(failures ? "chance" : "99% interval", kInterval);
      line += right(failures ? "" : "n", kCount) + right(failures ? "" : "shows", kShows);
      if (answers_) line += right("answer", kAnswer);
    }
    while (line.ends_with(' ')) line.pop_back();
    text_ += line + '\n';
  }

  void write_row(const model::CompareRow& row) {
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      if (i > 0) text_ += ' ';
      text_ += side(row, i);
      if (i > 0) numbers(row, i);
    }
    text_ += "  " + row_name(row) + '\n';
  }

  static std::string side(const model::CompareRow& row, std::size_t column) {
    const model::CellSummary& cell = row.cells[column];
    if (row.failure) return right(failure_text(cell), kSide);
    const std::string spread = cell_deviation(cell);
    return right(cell_average(cell), kAverage) +
           (spread.empty() ? std::string(kSide - kAverage, ' ') : fmt::format(" ±{:>3}", spread));
  }

  void numbers(const model::CompareRow& row, std::size_t column) {
    const Tone tone = options_.colour ? change_tone(row, column) : Tone::plain;
    text_ += toned(right(change_text(row, column), kEffect), tone);
    if (row.failure)
      text_ += right(p_text(row, column), kInterval) + std::string(kCount + kShows, ' ');
    else
      text_ += right(interval_text(row, column), kInterval) + right(count_text(row, column), kCount) +
               right(resolution_text(row, column), kShows);
    if (answers_) text_ += right(answer_word(row, column), kAnswer);
  }

  const model::CompareTable& table_;
  const VerdictRowsOptions& options_;
  bool answers_;
  std::string text_;
};

}  // namespace

std::string verdict_rows(const model::CompareTable& table, const VerdictRowsOptions& options) {
  return VerdictWriter(table, options).write();
}

}  // namespace kilter::report
