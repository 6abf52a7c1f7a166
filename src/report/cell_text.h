#pragma once

#include "model/report_types.h"
#include "report/table.h"

#include <string>
#include <string_view>
#include <vector>

// The words of one cell, without padding: what every form of the table shows.
namespace kilter::report {

// "2927567", "-" without a sample; of a number below 1 our style keeps three digits.
[[nodiscard]] std::string cell_average(const model::CellSummary& cell, TableStyle style = TableStyle::kilter);
// "7%": the relative standard deviation where it is over 2 %, cut to an integer (of an average of zero: the
// deviation itself); else "".
[[nodiscard]] std::string cell_deviation(const model::CellSummary& cell);
// "+5.6%", "-2.0" (absolute), "67%" (reproduction); "new", "gone" or "-" where a side has no sample.
// A difference below 1 has three digits, too.
[[nodiscard]] std::string change_text(const model::CompareRow& row, std::size_t column,
                                      TableStyle style = TableStyle::kilter);
// "4:6"; without failures ":6".
[[nodiscard]] std::string failure_text(const model::CellSummary& cell);

// Of a row that our rule judged, in percent or, of an absolute row, in its unit; "-" where there is none.
[[nodiscard]] std::string interval_text(const model::CompareRow& row, std::size_t column);    // "+4.9..+6.3"
[[nodiscard]] std::string resolution_text(const model::CompareRow& row, std::size_t column);  // "0.9%"
[[nodiscard]] std::string count_text(const model::CompareRow& row, std::size_t column);       // "3+4"
[[nodiscard]] std::string answer_word(const model::CompareRow& row, std::size_t column);      // "changed"
[[nodiscard]] std::string p_text(const model::CompareRow& row, std::size_t column);           // "p=0.029"
// What a reader must know of the row beside its numbers: "moves with x.y"; mostly "".
[[nodiscard]] std::string row_remark(const model::CompareRow& row);
// Some row has another answer than "changed", so that a table must tell it.
[[nodiscard]] bool tells_answers(const model::CompareTable& table);

// The columns of each pair that forms of the table without a grid of their own share: titles, and one row's.
[[nodiscard]] std::string change_title(const model::CompareTable& table, bool failures);
[[nodiscard]] std::vector<std::string> verdict_titles(const model::CompareTable& table, bool failures);
[[nodiscard]] std::vector<std::string> verdict_cells(const model::CompareTable& table,
                                                     const model::CompareRow& row, std::size_t column);

enum class Tone { plain, better, worse };
[[nodiscard]] std::string_view tone_word(Tone tone);  // "improvement", "regression", ""
// Whether the change of `column` is good news; plain where nobody knows, and where our rule calls it none.
[[nodiscard]] Tone change_tone(const model::CompareRow& row, std::size_t column);
// "improvement", "regression", or of several columns that differ "regression/improvement"; "" where our rule
// did not judge, and where nobody knows.
[[nodiscard]] std::string row_word(const model::CompareRow& row);
// In a terminal's green (better) or red (worse).
[[nodiscard]] std::string toned(std::string text, Tone tone);

// "x.speed [ops/s]  (also: x.rate)", our style's name of a row; foreign text is cleaned.
[[nodiscard]] std::string row_name(const model::CompareRow& row);

}  // namespace kilter::report
