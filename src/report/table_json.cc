#include "report/table_json.h"

#include "model/json.h"

#include <cmath>

namespace kilter::report {
namespace {

using Json = nlohmann::json;

Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

std::string_view direction_name(model::Direction direction) {
  switch (direction) {
    case model::Direction::higher_better:
      return "higher";
    case model::Direction::lower_better:
      return "lower";
    case model::Direction::unknown:
      break;
  }
  return "unknown";
}

Json cell_json(const model::CellSummary& cell, bool failure) {
  if (failure) return {{"fails", cell.fails}, {"runs", cell.runs}};
  if (!cell.present) return nullptr;
  return {{"n", cell.n},
          {"average", number(cell.average)},
          {"stddev", cell.n > 1 ? number(cell.stddev) : Json(nullptr)}};
}

Json row_json(const model::CompareRow& row) {
  Json cells = Json::array();
  for (const model::CellSummary& cell : row.cells) cells.push_back(cell_json(cell, row.failure));
  Json changes = Json::array();
  for (const double change : row.changes) changes.push_back(number(change));
  return {{"key", row.key},
          {"kind", row.failure    ? "failure"
                   : row.absolute ? "absolute"
                                  : "relative"},
          {"unit", row.info.unit},
          {"direction", direction_name(row.info.direction)},
          {"headline", row.info.headline},
          {"copies", row.copies},
          {"cells", cells},
          {"changes", changes}};
}

Json column_json(const model::CompareColumn& column) {
  return {
      {"commit", column.commit}, {"subject", column.subject}, {"label", column.label}, {"runs", column.runs}};
}

}  // namespace

std::string table_json(const model::CompareTable& table) {
  Json axes = Json::object();
  for (std::size_t i = 0; i < table.axis_names.size() && i < table.axis_values.size(); ++i)
    axes[table.axis_names[i]] = table.axis_values[i];
  Json columns = Json::array();
  for (const model::CompareColumn& column : table.columns) columns.push_back(column_json(column));
  Json rows = Json::array();
  for (const model::CompareRow& row : table.rows) rows.push_back(row_json(row));
  return model::dump_json({{"axes", axes},
                           {"compare_axis", table.compare_axis},
                           {"columns", columns},
                           {"rows", rows},
                           {"notes", table.notes},
                           {"identical", table.identical},
                           {"warning", table.warning ? Json(*table.warning) : Json(nullptr)}});
}

}  // namespace kilter::report
