#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

// What a test of two sides says, as tables, mails and programs read it.
namespace kilter::model {

// The three answers to "has it changed?".
enum class Answer {
  changed,
  same,     // the whole interval lies within the smallest effect that matters
  unknown,  // not enough data for either
};
[[nodiscard]] std::string_view answer_name(Answer answer);  // "changed"
[[nodiscard]] std::string_view answer_text(Answer answer);  // "not enough data"

// One metric, one column against the base. Effects are relative: .02 is 2 % more. The infinite ones mean
// "nothing is known". Of a failure row there are only answer, p, q and the numbers of runs.
struct RowVerdict {
  Answer answer = Answer::unknown;
  double effect = 0;
  double low = 0;  // the 99 % interval of the effect
  double high = 0;
  double p = 1;            // two-sided, of no change
  double q = 1;            // the false discovery rate at which it is a change; p for a headline
  double resolution = 0;   // the smallest effect that these data would have shown
  double delta = 0;        // the smallest effect that matters
  double base = 1;         // what effects are relative to, in the metric's unit
  bool from_zero = false;  // the base lies at zero: no percentage; effects are relative to the other side
  std::string level;       // what counts as one piece of evidence: "build", "boot", "process", "iteration"
  std::size_t base_n = 0;  // pieces of evidence of the base
  std::size_t n = 0;       // of the column
  std::size_t base_flagged = 0;  // of those, outliers of the history
  std::size_t flagged = 0;
  std::size_t history = 0;                 // earlier builds behind the scale
  bool one_build = false;                  // a side has one build only: the difference may be its layout
  bool one_boot = false;                   // the same of boots
  bool multimodal = false;                 // runs of one build lie around several levels
  std::string copy_of;                     // the metric that it always moves with; "": none
  std::optional<std::size_t> runs_needed;  // a side, for `delta` to be shown; nullopt: nobody knows
};

// A relative effect in percent, without the sign '%': "0.05", "3.2", "140", "inf".
[[nodiscard]] std::string percent_figure(double effect);
[[nodiscard]] std::string signed_percent(double effect);                // "+3.2"
[[nodiscard]] std::string interval_percent(const RowVerdict& verdict);  // "+1.9..+4.6", "-inf..+inf"
// "3+4", of runs or of what else counts.
[[nodiscard]] std::string evidence_count(const RowVerdict& verdict);

}  // namespace kilter::model
