#include "report/table_markdown.h"

#include "report/cell_text.h"
#include "report/clean.h"

#include <algorithm>

namespace kilter::report {
namespace {

std::string escaped(std::string_view text) {
  std::string safe;
  for (const char c : one_line(text)) {
    if (std::string_view("\\`*_{}[]()<>#+!|~@&").contains(c)) safe += '\\';
    safe += c;
  }
  return safe;
}

std::string markdown_cell(const model::CellSummary& cell) {
  const std::string deviation = cell_deviation(cell);
  std::string text = cell_average(cell);
  if (!deviation.empty()) text += " ± " + deviation;
  if (cell.present) text += " (n=" + std::to_string(cell.n) + ")";
  return text;
}

std::string markdown_name(const model::CompareRow& row) {
  std::string name = escaped(row.key);
  if (!row.info.unit.empty()) name += " \\[" + escaped(row.info.unit) + "\\]";
  for (const std::string& copy : row.copies)
    name += (&copy == row.copies.data() ? "<br>also: " : ", ") + escaped(copy);
  if (const std::string word = row_word(row); !word.empty()) name += ": " + word;
  if (const std::string remark = row_remark(row); !remark.empty()) name += "<br>" + escaped(remark);
  return name;
}

void markdown_head(std::string& text, const model::CompareTable& table, bool failures) {
  const std::vector<std::string> titles = verdict_titles(table, failures);
  text += '|';
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (i > 0) text += " " + change_title(table, failures) + " |";
    if (i > 0)
      for (const std::string& title : titles) text += " " + title + " |";
    text += " " + escaped(one_line(table.columns[i].commit).substr(0, 16)) + " |";
  }
  text += " metric |\n|";
  for (std::size_t i = 0; i + titles.size() < (2 + titles.size()) * table.columns.size() - 1; ++i)
    text += "---:|";
  text += "---|\n";
}

void markdown_block(std::string& text, const model::CompareTable& table, bool failures) {
  if (std::ranges::none_of(table.rows, [=](const model::CompareRow& row) { return row.failure == failures; }))
    return;
  text += '\n';
  markdown_head(text, table, failures);
  for (const model::CompareRow& row : table.rows) {
    if (row.failure != failures) continue;
    text += '|';
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      if (i > 0) text += " " + change_text(row, i) + " |";
      if (i > 0)
        for (const std::string& cell : verdict_cells(table, row, i)) text += " " + escaped(cell) + " |";
      text += " " + (failures ? failure_text(row.cells[i]) : markdown_cell(row.cells[i])) + " |";
    }
    text += " " + markdown_name(row) + " |\n";
  }
}

}  // namespace

std::string table_markdown(const model::CompareTable& table) {
  std::string text;
  if (!table.identical.empty()) text += "**Note:** " + escaped(table.identical) + "\n\n";
  for (std::size_t i = 0; i < table.axis_names.size() && i < table.axis_values.size(); ++i)
    text += "- " + escaped(table.axis_names[i]) + ": " + escaped(table.axis_values[i]) + "\n";
  text += "\n" + escaped(table.compare_axis) + ":\n\n";
  for (const model::CompareColumn& column : table.columns)
    text += "1. " + escaped(column.label) + ", " + std::to_string(column.runs) + " runs\n";
  if (table.columns.empty()) return text;
  markdown_block(text, table, true);
  markdown_block(text, table, false);
  if (table.warning) text += "\n**Warning:** " + escaped(*table.warning) + "\n";
  for (const std::string& note : table.notes) text += "\n_Note:_ " + escaped(note) + "\n";
  return text;
}

}  // namespace kilter::report
