#include "analyse/answer.h"

#include <algorithm>
#include <cmath>

namespace kilter::analyse {

Answer answer(const RecResult& result, double p, const AnswerRule& rule) {
  const std::size_t sound = std::min(result.a.n - result.a.flagged, result.b.n - result.b.flagged);
  if (p <= rule.level && std::abs(result.effect) >= rule.minimal_effect && sound >= rule.fewest_runs)
    return Answer::changed;
  if (result.low > -rule.minimal_effect && result.high < rule.minimal_effect) return Answer::same;
  return Answer::unknown;
}

std::optional<std::size_t> runs_needed(const RecResult& result, double effect) {
  constexpr double kMost = 1e6;
  const double shown = std::abs(result.resolution);
  if (!(result.df > 0) || !std::isfinite(shown) || !(effect > 0)) return std::nullopt;
  if (!(shown > 0)) return std::min(result.a.n, result.b.n);
  // In units of the resolution: it falls with the runs' part of the variance alone.
  const double wanted = result.absolute ? effect / shown : std::log1p(effect) / std::log1p(shown);
  const double of_builds = 2 * result.tau * result.tau / (result.se * result.se);
  const double left = wanted * wanted - of_builds;
  if (!(left > 0)) return std::nullopt;
  const double pieces = 2 / (1 / static_cast<double>(result.a.n) + 1 / static_cast<double>(result.b.n));
  const double needed = std::ceil(pieces * (1 - of_builds) / left);
  return needed <= kMost ? std::optional(static_cast<std::size_t>(std::max(needed, 3.0))) : std::nullopt;
}

}  // namespace kilter::analyse
