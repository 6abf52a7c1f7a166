#include "report/table_json.h"

#include "model/json.h"
#include "report/cell_text.h"

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

// Of a failure row there are no effects.
Json verdict_json(const model::CompareRow& row, std::size_t column) {
  if (!row.verdicts[column - 1]) return nullptr;
  const model::RowVerdict& verdict = *row.verdicts[column - 1];
  Json json = {{"answer", model::answer_name(verdict.answer)},
               {"word", tone_word(change_tone(row, column))},
               {"p", number(verdict.p)},
               {"q", number(verdict.q)},
               {"n", {verdict.base_n, verdict.n}}};
  if (row.failure) return json;
  const auto effect = [&](double value) { return verdict.from_zero ? Json(nullptr) : number(value); };
  json.update({{"effect", effect(verdict.effect)},
               {"low", effect(verdict.low)},
               {"high", effect(verdict.high)},
               {"resolution", effect(verdict.resolution)},
               {"delta", verdict.delta},
               {"level", verdict.level},
               {"history", verdict.history},
               {"one_build", verdict.one_build},
               {"one_boot", verdict.one_boot},
               {"multimodal", verdict.multimodal},
               {"flagged", {verdict.base_flagged, verdict.flagged}},
               {"copy_of", verdict.copy_of.empty() ? Json(nullptr) : Json(verdict.copy_of)},
               {"runs_needed", verdict.runs_needed ? Json(*verdict.runs_needed) : Json(nullptr)}});
  return json;
}

Json row_json(const model::CompareRow& row) {
  Json cells = Json::array();
  for (const model::CellSummary& cell : row.cells) cells.push_back(cell_json(cell, row.failure));
  Json changes = Json::array();
  for (const double change : row.changes) changes.push_back(number(change));
  Json verdicts = Json::array();
  for (std::size_t column = 1; column <= row.verdicts.size(); ++column)
    verdicts.push_back(verdict_json(row, column));
  return {{"key", row.key},
          {"kind", row.failure    ? "failure"
                   : row.absolute ? "absolute"
                                  : "relative"},
          {"unit", row.info.unit},
          {"direction", direction_name(row.info.direction)},
          {"headline", row.info.headline},
          {"copies", row.copies},
          {"cells", cells},
          {"changes", changes},
          {"verdicts", verdicts}};
}

Json rows_json(const std::vector<model::CompareRow>& rows) {
  Json all = Json::array();
  for (const model::CompareRow& row : rows) all.push_back(row_json(row));
  return all;
}

Json column_json(const model::CompareColumn& column) {
  return {{"commit", column.commit},
          {"subject", column.subject},
          {"label", column.label},
          {"runs", column.runs},
          {"answers",
           {{"changed", column.answers.changed},
            {"same", column.answers.same},
            {"unknown", column.answers.unknown}}}};
}

}  // namespace

std::string table_json(const model::CompareTable& table) {
  Json axes = Json::object();
  for (std::size_t i = 0; i < table.axis_names.size() && i < table.axis_values.size(); ++i)
    axes[table.axis_names[i]] = table.axis_values[i];
  Json columns = Json::array();
  for (const model::CompareColumn& column : table.columns) columns.push_back(column_json(column));
  return model::dump_json({{"axes", axes},
                           {"compare_axis", table.compare_axis},
                           {"columns", columns},
                           {"rule", table.has_verdicts ? "kilter" : "lkp"},
                           {"rows", rows_json(table.rows)},
                           {"headlines", rows_json(table.quiet_headlines)},
                           {"notes", table.notes},
                           {"identical", table.identical},
                           {"warning", table.warning ? Json(*table.warning) : Json(nullptr)}});
}

}  // namespace kilter::report
