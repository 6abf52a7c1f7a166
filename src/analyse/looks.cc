#include "analyse/looks.h"

#include <algorithm>

namespace kilter::analyse {

std::optional<std::size_t> next_look(std::size_t runs) {
  const auto* const next = std::ranges::find_if(kLooks, [runs](std::size_t at) { return at > runs; });
  if (next == kLooks.end()) return std::nullopt;
  return *next;
}

Look look(const RecResult& result, const AnswerRule& rule) {
  const std::size_t runs = std::min(result.a.n, result.b.n);
  Look now{.next = next_look(runs)};
  if (std::ranges::find(kLooks, runs) == kLooks.end() && now.next) return now;
  AnswerRule each = rule;
  each.level *= kLookShare;
  now.answer = answer(result, result.p, each);
  if (now.answer != Answer::unknown) now.next.reset();
  return now;
}

}  // namespace kilter::analyse
