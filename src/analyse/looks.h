#pragma once

#include "analyse/answer.h"
#include "analyse/rec.h"

#include <array>
#include <cstddef>
#include <optional>
#include <span>

// Sequential runs: how often one may look at growing data and still be wrong no more often than stated. Pure.
namespace kilter::analyse {

// Runs a side at which the data are looked at; between looks nothing is decided.
inline constexpr std::array<std::size_t, 5> kLooks = {3, 5, 8, 12, 20};
// Each look is held to this share of the level of all (constant, as Pocock's): .01 becomes .0028.
inline constexpr double kLookShare = 0.28;

// Where runs are cheap and there is no history: from 5, for two levels of a metric cannot be told from a
// change by 3 runs; on to 200, by more looks, each held to a smaller share (from 120,000 simulated sequences
// of t tests with one look more: .131, .119 of the levels .01, .001).
inline constexpr std::array<std::size_t, 9> kLongLooks = {5, 8, 12, 20, 32, 50, 80, 125, 200};
inline constexpr double kLongLookShare = 0.12;

struct LookPlan {
  std::span<const std::size_t> looks = kLooks;
  double share = kLookShare;
};
inline constexpr LookPlan kLongPlan = {.looks = kLongLooks, .share = kLongLookShare};

// The next number of runs a side to look at after `runs`; nullopt after the last.
[[nodiscard]] std::optional<std::size_t> next_look(std::size_t runs, const LookPlan& plan = {});

struct Look {
  Answer answer = Answer::unknown;
  std::optional<std::size_t>
      next;  // go on to so many runs a side; nullopt: decided, or nothing left to look at
};
// `rule.level` is that of the whole sequence. The smaller side must have reached a look, else the answer is
// unknown. "Same" ends the sequence too.
[[nodiscard]] Look look(const RecResult& result, const AnswerRule& rule, const LookPlan& plan = {});

}  // namespace kilter::analyse
