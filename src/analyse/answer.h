#pragma once

#include "analyse/rec.h"
#include "model/verdict.h"

#include <cstddef>
#include <optional>

// The three answers to "has it changed?". Pure.
namespace kilter::analyse {

inline constexpr double kHeadlineMinimalEffect = 0.01;
inline constexpr double kCounterMinimalEffect = 0.05;
inline constexpr double kHeadlineLevel = 0.01;  // alone
inline constexpr double kReportLevel = 0.05;    // of false rows among those shown as changed

using model::Answer;
using model::answer_name;

struct AnswerRule {
  double level = kReportLevel;
  double minimal_effect = kCounterMinimalEffect;  // smaller changes do not matter
  std::size_t fewest_runs = 3;                    // a side, not flagged, for "changed"
};

// `p` is the result's own, or its false discovery rate within a report (fdr.h).
[[nodiscard]] Answer answer(const RecResult& result, double p, const AnswerRule& rule);

// So many runs (pieces of evidence) a side would show `effect` with a chance of kPower, the scatter of runs
// and builds being as it is; nullopt: no number would, since builds scatter too much, or the scatter is
// unknown.
[[nodiscard]] std::optional<std::size_t> runs_needed(const RecResult& result, double effect);

}  // namespace kilter::analyse
