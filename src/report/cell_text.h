#pragma once

#include "model/report_types.h"
#include "report/table.h"

#include <string>
#include <string_view>

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

enum class Tone { plain, better, worse };
// Whether the change of `column` is good news; plain where nobody knows.
[[nodiscard]] Tone change_tone(const model::CompareRow& row, std::size_t column);

}  // namespace kilter::report
