#pragma once

#include "model/report_types.h"

#include <string>

namespace kilter::report {

// The table as JSON, for programs:
//   {"axes": {..}, "compare_axis": "commit",
//    "columns": [{"commit", "subject", "label", "runs"}],
//    "rows": [{"key", "kind": "failure"|"relative"|"absolute", "unit", "direction", "headline", "copies",
//              "cells": [{"n", "average", "stddev"} | {"fails", "runs"} | null], "changes": [number|null]}],
//    "notes": [..], "identical": "" or which columns measured one and the same program, "warning": ..}
// A cell without a sample is null; so is a change that has no number (one side missing, a base of zero); so
// is the stddev of a single sample. Changes are percentages but for kind absolute, where they are
// differences.
[[nodiscard]] std::string table_json(const model::CompareTable& table);

}  // namespace kilter::report
