#include "analyse/answer.h"

#include <algorithm>
#include <cmath>

namespace kilter::analyse {

std::string_view answer_name(Answer answer) {
  switch (answer) {
    case Answer::changed:
      return "changed";
    case Answer::same:
      return "same";
    case Answer::unknown:
      break;
  }
  return "unknown";
}

Answer answer(const RecResult& result, double p, const AnswerRule& rule) {
  const std::size_t sound = std::min(result.a.n - result.a.flagged, result.b.n - result.b.flagged);
  if (p <= rule.level && std::abs(result.effect) >= rule.minimal_effect && sound >= rule.fewest_runs)
    return Answer::changed;
  if (result.low > -rule.minimal_effect && result.high < rule.minimal_effect) return Answer::same;
  return Answer::unknown;
}

}  // namespace kilter::analyse
