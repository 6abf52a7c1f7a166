#include "robot/evidence.h"

#include "analyse/fingerprint.h"
#include "robot/cell_directory.h"

#include <algorithm>
#include <ranges>

namespace kilter::robot {
namespace {

std::string commit_in_axes(const model::Axes& axes) {
  const auto it = axes.find("commit");
  return it == axes.end() ? "" : it->second;
}

// Whether a machine is enough like the compared ones; each is looked at once.
class AlikeMachines {
 public:
  AlikeMachines(store::Store& store, const HistoryRequest& request) : store_(store), request_(request) {}

  bool contains(const store::SeriesBuild::Run& run) {
    if (request_.fingerprints.empty() || run.fingerprint.empty() ||
        request_.fingerprints.contains(run.fingerprint))
      return true;
    const auto [at, fresh] = known_.try_emplace(run.fingerprint, false);
    if (fresh) at->second = is_alike(run.id);
    return at->second;
  }

 private:
  [[nodiscard]] bool is_alike(std::int64_t run) const {
    const Result<model::RunTable> table = store_.run_table({run});
    if (!table || request_.fingerprint.empty()) return false;
    const analyse::Fingerprint other = machine_fingerprint(table->runs().front().directory);
    const analyse::FingerprintOptions options{.kernel_is_compared = request_.kernel_is_compared};
    return !other.empty() && analyse::unlike(request_.fingerprint, other, options).empty();
  }

  store::Store& store_;
  const HistoryRequest& request_;
  std::map<std::string, bool> known_;
};

void sort_by_commits(std::vector<store::SeriesBuild>& builds, const HistoryRequest& request) {
  if (!request.in_order || builds.size() < 2) return;
  std::vector<std::string> commits;
  for (const store::SeriesBuild& build : builds) commits.push_back(build.commit);
  const std::optional<std::vector<std::string>> order = request.in_order(commits);
  if (!order) return;
  std::map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < order->size(); ++i) places[(*order)[i]] = i;
  std::ranges::stable_sort(builds, {},
                           [&places](const store::SeriesBuild& build) { return places[build.commit]; });
}

bool is_history(const store::SeriesBuild& build, const HistoryRequest& request) {
  return !build.commit.contains('+') && !request.left_out.contains(build.commit);
}

// Those measured before what is compared, the newest first; then those measured since.
void sort_by_worth(std::vector<store::SeriesBuild>& builds, const HistoryRequest& request) {
  const std::ranges::subrange later =
      std::ranges::stable_partition(builds, [&](const store::SeriesBuild& build) {
        return !(request.until > 0) || build.started <= request.until;
      });
  std::ranges::reverse(builds.begin(), later.begin());
}

std::vector<store::SeriesBuild> chosen_builds(std::vector<store::SeriesBuild> all, store::Store& store,
                                              const HistoryRequest& request) {
  AlikeMachines alike(store, request);
  sort_by_worth(all, request);
  std::vector<store::SeriesBuild> chosen;
  for (store::SeriesBuild& build : all) {
    if (chosen.size() == request.most) break;
    if (!is_history(build, request)) continue;
    std::erase_if(build.runs, [&](const store::SeriesBuild::Run& run) { return !alike.contains(run); });
    if (!build.runs.empty()) chosen.push_back(std::move(build));
  }
  std::ranges::sort(chosen, {}, &store::SeriesBuild::started);
  sort_by_commits(chosen, request);
  return chosen;
}

}  // namespace

HistoryRequest history_request(std::span<const Cell> columns, bool kernel_is_compared) {
  HistoryRequest request{.axes = columns.front().axes,
                         .fingerprint = columns.front().fingerprint,
                         .kernel_is_compared = kernel_is_compared};
  for (const Cell& cell : columns) {
    request.left_out.insert(commit_in_axes(cell.axes));
    for (const model::RunRecord& run : cell.runs) {
      if (!run.fingerprint.empty()) request.fingerprints.insert(run.fingerprint);
      request.until = std::max(request.until, run.started);
    }
  }
  return request;
}

Result<model::BuildHistory> load_history(store::Store& store, const HistoryRequest& request) {
  ASSIGN_OR_RETURN(std::vector<store::SeriesBuild> all, store.series_builds(request.axes));
  model::BuildHistory history;
  std::vector<std::int64_t> runs;
  for (const store::SeriesBuild& build : chosen_builds(std::move(all), store, request)) {
    history.begins.push_back(runs.size());
    history.commits.push_back(build.commit);
    for (const store::SeriesBuild::Run& run : build.runs) runs.push_back(run.id);
  }
  if (runs.empty()) return history;
  ASSIGN_OR_RETURN(history.runs, store.run_table(runs));
  return history;
}

std::vector<analyse::RunLabel> run_labels(const Cell& cell) {
  std::vector<analyse::RunLabel> labels;
  if (cell.runs.size() != cell.matrix.columns()) return labels;
  for (const model::RunRecord& run : cell.runs)
    labels.push_back({.build = run.build_id, .boot = run.boot_id, .process = run.directory});
  return labels;
}

}  // namespace kilter::robot
