#pragma once

#include "model/report_types.h"

#include <string>

namespace kilter::report {

// The table as JSON, for programs:
//   {"axes": {..}, "compare_axis": "commit",
//    "columns": [{"commit", "subject", "label", "runs", "answers": {"changed", "same", "unknown"}}],
//    "rule": "kilter"|"lkp",
//    "rows": [{"key", "kind": "failure"|"relative"|"absolute", "unit", "direction", "headline", "copies",
//              "cells": [{"n", "average", "stddev"} | {"fails", "runs"} | null], "changes": [number|null],
//              "verdicts": [{"answer": "changed"|"same"|"unknown", "word": "improvement"|"regression"|"",
//                            "p", "q", "n": [base, column], "effect", "low", "high", "resolution", "delta",
//                            "level", "history", "one_build", "one_boot", "multimodal",
//                            "flagged": [base, column], "copy_of", "runs_needed"} | null]}],
//    "headlines": [rows of headlines that did not change],
//    "notes": [..], "identical": "" or which columns measured one and the same program, "warning": ..}
// A cell without a sample is null; so is a change that has no number (one side missing, a base of zero); so
// is the stddev of a single sample. Changes are percentages but for kind absolute, where they are
// differences. Effects are fractions: .02 is 2 % more; null where nothing is known of the scatter, or of a
// base of zero. LKP's rule has no verdicts; those of failures end with "n".
[[nodiscard]] std::string table_json(const model::CompareTable& table);

}  // namespace kilter::report
