#pragma once

#include "analyse/kilter_rule.h"
#include "model/report_types.h"
#include "model/verdict.h"

#include <span>
#include <string>
#include <vector>

namespace kilter::analyse {

// Of a metric that is not called changed: "the same within 1 % (99 % interval -0.7..-0.1 %)", "not enough
// data: 3+3 runs could have shown 3.2 %, about 31 a side 1 % (99 % interval ...)".
[[nodiscard]] std::string unchanged_text(const model::RowVerdict& verdict);

// The sentences under a table that its verdicts need: how many metrics got which answer, what its headlines
// said that make no row, and what the reader must know of the evidence (one build a side, no history,
// outliers, modes, drift). `table` has its rows and columns; docs/compare.md explains each.
[[nodiscard]] std::vector<std::string> verdict_notes(const model::CompareTable& table, const KilterRule& rule,
                                                     std::span<const CompareInput> inputs,
                                                     const CompareOptions& options);

}  // namespace kilter::analyse
