#pragma once

#include "analyse/rec.h"

#include <cstddef>
#include <string_view>

// The three answers to "has it changed?". Pure.
namespace kilter::analyse {

inline constexpr double kHeadlineMinimalEffect = 0.01;
inline constexpr double kCounterMinimalEffect = 0.05;
inline constexpr double kHeadlineLevel = 0.01;  // alone
inline constexpr double kReportLevel = 0.05;    // of false rows among those shown as changed

enum class Answer {
  changed,
  same,     // the whole interval lies within the minimal effect
  unknown,  // not enough data for either
};
[[nodiscard]] std::string_view answer_name(Answer answer);  // "changed"

struct AnswerRule {
  double level = kReportLevel;
  double minimal_effect = kCounterMinimalEffect;  // smaller changes do not matter
  std::size_t fewest_runs = 3;                    // a side, not flagged, for "changed"
};

// `p` is the result's own, or its false discovery rate within a report (fdr.h).
[[nodiscard]] Answer answer(const RecResult& result, double p, const AnswerRule& rule);

}  // namespace kilter::analyse
