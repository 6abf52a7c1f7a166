#include "job/typo.h"

#include <algorithm>
#include <vector>

namespace kilter::job {
namespace {

// Optimal string alignment: insertions, deletions, substitutions, swaps of neighbours.
std::size_t slips(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) cost[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) cost[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  return cost[a.size()][b.size()];
}

}  // namespace

std::optional<std::string> slip_of(std::string_view word, std::span<const std::string> known) {
  constexpr std::size_t kLongest = 64;
  const std::size_t allowed = word.size() >= 8 ? 2 : 1;
  if (word.size() < 4 || word.size() > kLongest) return std::nullopt;
  std::optional<std::string> best;
  std::size_t fewest = allowed + 1;
  for (const std::string& candidate : known) {
    if (candidate.size() + allowed < word.size() || word.size() + allowed < candidate.size()) continue;
    const std::size_t found = slips(word, candidate);
    if (found != 0 && found < fewest) {
      fewest = found;
      best = candidate;
    }
  }
  return best;
}

}  // namespace kilter::job
