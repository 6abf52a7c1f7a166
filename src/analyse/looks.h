#pragma once

#include "analyse/answer.h"
#include "analyse/rec.h"

#include <array>
#include <cstddef>
#include <optional>

// Sequential runs: how often one may look at growing data and still be wrong no more often than stated. Pure.
namespace kilter::analyse {

// Runs a side at which the data are looked at; between looks nothing is decided.
inline constexpr std::array<std::size_t, 5> kLooks = {3, 5, 8, 12, 20};
// Each look is held to this share of the level of all (constant, as Pocock's): .01 becomes .0028.
inline constexpr double kLookShare = 0.28;

// The next number of runs a side to look at after `runs`; nullopt after the last.
[[nodiscard]] std::optional<std::size_t> next_look(std::size_t runs);

struct Look {
  Answer answer = Answer::unknown;
  std::optional<std::size_t>
      next;  // go on to so many runs a side; nullopt: decided, or nothing left to look at
};
// `rule.level` is that of the whole sequence. The smaller side must have reached a look, else the answer is
// unknown. "Same" ends the sequence too.
[[nodiscard]] Look look(const RecResult& result, const AnswerRule& rule);

}  // namespace kilter::analyse
