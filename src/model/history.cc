#include "model/history.h"

#include <algorithm>

namespace kilter::model {

std::string change_verdict(const HistoryChange& change) {
  if (change.direction == Direction::unknown || change.effect == 0) return "change";
  const bool up = change.effect > 0;
  return up == (change.direction == Direction::higher_better) ? "improvement" : "regression";
}

void keep_from(MetricHistory& history, std::size_t first) {
  first = std::min(first, history.points.size());
  if (first == 0) return;
  history.points.erase(history.points.begin(), history.points.begin() + static_cast<std::ptrdiff_t>(first));
  std::erase_if(history.levels, [first](const HistoryLevel& level) { return level.end <= first; });
  for (HistoryLevel& level : history.levels) {
    level.begin = level.begin > first ? level.begin - first : 0;
    level.end -= first;
  }
  std::erase_if(history.changes, [first](const HistoryChange& change) { return change.index <= first; });
  for (HistoryChange& change : history.changes) change.index -= first;
  std::erase_if(history.splits, [first](const HistorySplit& split) { return split.index <= first; });
  for (HistorySplit& split : history.splits) split.index -= first;
}

std::vector<std::size_t> split_places(const MetricHistory& history) {
  std::vector<std::size_t> places;
  for (const HistorySplit& split : history.splits) places.push_back(split.index);
  return places;
}

}  // namespace kilter::model
