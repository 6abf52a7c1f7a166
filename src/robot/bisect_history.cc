#include "robot/bisect_history.h"

#include "analyse/change_points.h"
#include "analyse/history_scale.h"
#include "analyse/order_statistics.h"
#include "base/text.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

namespace kilter::robot {
namespace {

constexpr int kMostAncestors = 2000;

Result<std::string> ancestors_of(const project::Repository& repository, const std::string& sha) {
  return repository.git().output({"rev-list", "--first-parent", "--reverse", "--skip=1",
                                  fmt::format("--max-count={}", kMostAncestors), sha, "--"});
}

// Since the last confirmed change, and no more builds than count.
void keep_last_level(BisectHistory& history) {
  std::vector<double> medians;
  for (const std::vector<double>& runs : history) medians.push_back(analyse::median(runs));
  const analyse::Changes changes = analyse::change_points(medians);
  const std::size_t since = changes.confirmed.empty() ? 0 : changes.confirmed.back().index;
  const std::size_t most = history.size() - std::min(history.size(), analyse::kMostHistory);
  history.erase(history.begin(), history.begin() + std::ptrdiff_t(std::max(since, most)));
}

}  // namespace

Result<BisectHistory> history_before(const project::Repository& repository, const std::string& good,
                                     const std::vector<store::SeriesPoint>& points) {
  BisectHistory history;
  if (points.empty()) return history;
  std::map<std::string, std::vector<double>> runs;
  for (const store::SeriesPoint& point : points) runs[point.commit].push_back(point.value.value());
  ASSIGN_OR_RETURN(const std::string before, ancestors_of(repository, good));
  for (const std::string_view sha : lines(before)) {
    const auto found = runs.find(std::string(sha));
    if (found != runs.end() && found->second.size() >= 2) history.push_back(found->second);
  }
  keep_last_level(history);
  return history;
}

}  // namespace kilter::robot
