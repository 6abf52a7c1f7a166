#pragma once

#include "model/report_types.h"

#include <functional>
#include <string>

namespace kilter::report {

struct VerdictRowsOptions {
  std::function<std::string(const std::string& commit, std::size_t width)> heading;
  bool colour = false;
};

// Column titles and rows of a table that our rule judged: each side's mean and spread, the effect in percent
// (in the metric's unit, where the row is absolute) with its 99 % interval, the pieces of evidence on both
// sides, and the smallest effect that they would have shown; the answer where not every row is "changed".
[[nodiscard]] std::string verdict_rows(const model::CompareTable& table, const VerdictRowsOptions& options);

}  // namespace kilter::report
