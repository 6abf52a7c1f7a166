#pragma once

#include "model/report_types.h"

#include <string>

namespace kilter::report {

// The table as GitHub-flavoured Markdown: axes, columns, one pipe table each for failures and measurements.
// Foreign text is escaped: it opens no link, tag, cell or code.
[[nodiscard]] std::string table_markdown(const model::CompareTable& table);

}  // namespace kilter::report
