#include "report/table_html.h"

#include "report/cell_text.h"
#include "report/clean.h"

#include <fmt/core.h>

#include <algorithm>

namespace kilter::report {
namespace {

constexpr std::string_view kStyle =
    "<style>\n"
    ".kilter-compare table{border-collapse:collapse;font:13px/1.4 monospace}\n"
    ".kilter-compare th,.kilter-compare td{padding:1px 10px;text-align:right;white-space:nowrap}\n"
    ".kilter-compare .key{text-align:left}\n"
    ".kilter-compare thead th{border-bottom:1px solid #888}\n"
    ".kilter-compare .better{color:#0a7a2f}\n"
    ".kilter-compare .worse{color:#b3261e}\n"
    ".kilter-compare .less{color:#777}\n"
    "</style>\n";

std::string_view tone_class(Tone tone) {
  switch (tone) {
    case Tone::better:
      return " class=\"better\"";
    case Tone::worse:
      return " class=\"worse\"";
    case Tone::plain:
      break;
  }
  return "";
}

std::string html_cell(const model::CellSummary& cell) {
  const std::string deviation = cell_deviation(cell);
  std::string text = cell_average(cell);
  if (!deviation.empty()) text += " ± " + deviation;
  if (cell.present) text += fmt::format(" <span class=\"less\">n={}</span>", cell.n);
  return text;
}

std::string html_name(const model::CompareRow& row) {
  std::string text = "<td class=\"key\">" + html_escaped(row.key);
  if (!row.info.unit.empty()) text += " [" + html_escaped(row.info.unit) + "]";
  for (const std::string& copy : row.copies)
    text += (&copy == row.copies.data() ? " <span class=\"less\">also: " : ", ") + html_escaped(copy);
  if (!row.copies.empty()) text += "</span>";
  if (const std::string word = row_word(row); !word.empty()) text += " &ndash; " + word;
  if (const std::string remark = row_remark(row); !remark.empty())
    text += " <span class=\"less\">" + html_escaped(remark) + "</span>";
  return text + "</td>";
}

std::string html_head(const model::CompareTable& table, bool failures) {
  std::string text = "<thead><tr>";
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (i > 0) text += fmt::format("<th>{}</th>", change_title(table, failures));
    if (i > 0)
      for (const std::string& title : verdict_titles(table, failures)) text += "<th>" + title + "</th>";
    text += fmt::format("<th title=\"{}\">{}</th>", html_escaped(table.columns[i].label),
                        html_escaped(one_line(table.columns[i].commit).substr(0, 16)));
  }
  return text + "<th class=\"key\">metric</th></tr></thead>\n";
}

std::string html_verdict(const model::CompareTable& table, const model::CompareRow& row, std::size_t column) {
  std::string text;
  for (const std::string& cell : verdict_cells(table, row, column))
    text += "<td class=\"less\">" + html_escaped(cell) + "</td>";
  return text;
}

std::string html_row(const model::CompareTable& table, const model::CompareRow& row) {
  std::string text = "<tr>";
  for (std::size_t i = 0; i < row.cells.size(); ++i) {
    if (i > 0)
      text += fmt::format("<td{}>{}</td>", tone_class(change_tone(row, i)), change_text(row, i)) +
              html_verdict(table, row, i);
    text += "<td>" + (row.failure ? failure_text(row.cells[i]) : html_cell(row.cells[i])) + "</td>";
  }
  return text + html_name(row) + "</tr>\n";
}

void html_block(std::string& text, const model::CompareTable& table, bool failures) {
  if (std::ranges::none_of(table.rows, [=](const model::CompareRow& row) { return row.failure == failures; }))
    return;
  text += "<table>\n" + html_head(table, failures) + "<tbody>\n";
  for (const model::CompareRow& row : table.rows)
    if (row.failure == failures) text += html_row(table, row);
  text += "</tbody>\n</table>\n";
}

}  // namespace

std::string html_escaped(std::string_view text) {
  std::string safe;
  for (const char c : one_line(text)) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      case '\'':
        safe += "&#39;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

std::string table_html(const model::CompareTable& table) {
  std::string text = "<section class=\"kilter-compare\">\n" + std::string(kStyle) + "<p>";
  for (std::size_t i = 0; i < table.axis_names.size() && i < table.axis_values.size(); ++i)
    text += fmt::format("{}{}={}", i == 0 ? "" : " &middot; ", html_escaped(table.axis_names[i]),
                        html_escaped(table.axis_values[i]));
  text += "</p>\n<ol>\n";
  for (const model::CompareColumn& column : table.columns)
    text += fmt::format("<li>{} <span class=\"less\">{} runs</span></li>\n", html_escaped(column.label),
                        column.runs);
  text += "</ol>\n";
  if (!table.identical.empty()) text += "<p class=\"worse\">" + html_escaped(table.identical) + "</p>\n";
  if (table.warning) text += "<p class=\"worse\">" + html_escaped(*table.warning) + "</p>\n";
  html_block(text, table, true);
  html_block(text, table, false);
  for (const std::string& note : table.notes) text += "<p class=\"less\">" + html_escaped(note) + "</p>\n";
  return text + "</section>\n";
}

}  // namespace kilter::report
