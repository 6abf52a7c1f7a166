#include "analyse/looks.h"

#include <algorithm>

namespace kilter::analyse {

std::optional<std::size_t> next_look(std::size_t runs, const LookPlan& plan) {
  const auto next = std::ranges::find_if(plan.looks, [runs](std::size_t at) { return at > runs; });
  if (next == plan.looks.end()) return std::nullopt;
  return *next;
}

Look look(const RecResult& result, const AnswerRule& rule, const LookPlan& plan) {
  const std::size_t runs = std::min(result.a.n, result.b.n);
  Look now{.next = next_look(runs, plan)};
  if (std::ranges::find(plan.looks, runs) == plan.looks.end() && now.next) return now;
  AnswerRule each = rule;
  each.level *= plan.share;
  now.answer = answer(result, result.p, each);
  if (now.answer != Answer::unknown) now.next.reset();
  return now;
}

}  // namespace kilter::analyse
