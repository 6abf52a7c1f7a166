#pragma once

#include "model/report_types.h"

#include <string>

namespace kilter::report {

enum class TableStyle {
  kilter,  // LKP's layout, with the number of samples of each column, units, merged rows named, notes
  lkp,     // LKP's layout to the byte
};

struct TableOptions {
  TableStyle style = TableStyle::kilter;
  bool colour = false;  // changes in green (better) and red (worse), for a terminal
};

// The comparison table as text. A cell without a sample prints "-"; where one side has none, the change
// prints "new" or "gone"; from a base of zero it prints "+inf%". Keys are cleaned of control characters and
// cut.
[[nodiscard]] std::string table_text(const model::CompareTable& table, const TableOptions& options = {});

}  // namespace kilter::report
