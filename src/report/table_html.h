#pragma once

#include "model/report_types.h"

#include <string>
#include <string_view>

namespace kilter::report {

// `text` for HTML content and quoted attributes.
[[nodiscard]] std::string html_escaped(std::string_view text);

// The table as one <section class="kilter-compare"> with a style of its own that touches nothing outside; no
// script, nothing loaded. All foreign text is escaped.
[[nodiscard]] std::string table_html(const model::CompareTable& table);

}  // namespace kilter::report
