#include "robot/evidence.h"

#include "analyse/column.h"
#include "analyse/fingerprint.h"
#include "robot/cell_directory.h"

#include <algorithm>
#include <cmath>

namespace kilter::robot {
namespace {

std::string commit_of(const model::Axes& axes) {
  const auto it = axes.find("commit");
  return it == axes.end() ? "" : it->second;
}

// Whether a machine is enough like the compared ones; each is looked at once.
class AlikeMachines {
 public:
  explicit AlikeMachines(const HistoryRequest& request) : request_(request) {}

  bool contains(const model::RunTable::Run& run) {
    if (request_.fingerprints.empty() || run.fingerprint.empty() ||
        request_.fingerprints.contains(run.fingerprint))
      return true;
    const auto [at, fresh] = known_.try_emplace(run.fingerprint, false);
    if (fresh) {
      const analyse::Fingerprint other = machine_fingerprint(run.directory);
      at->second =
          !other.empty() && !request_.fingerprint.empty() &&
          analyse::unlike(request_.fingerprint, other, {.kernel_is_compared = request_.kernel_is_compared})
              .empty();
    }
    return at->second;
  }

 private:
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

std::vector<store::SeriesBuild> chosen_builds(std::vector<store::SeriesBuild> builds,
                                              const HistoryRequest& request) {
  std::erase_if(builds, [&](const store::SeriesBuild& build) {
    const bool patched = build.commit.contains('+');
    const bool later = request.until > 0 && build.started > request.until;
    return patched || later || request.left_out.contains(build.commit);
  });
  if (builds.size() > request.most)
    builds.erase(builds.begin(), builds.end() - static_cast<std::ptrdiff_t>(request.most));
  sort_by_commits(builds, request);
  return builds;
}

// The same builds without the runs of other machines.
std::vector<store::SeriesBuild> alike_builds(const std::vector<store::SeriesBuild>& builds,
                                             const model::RunTable& table, const HistoryRequest& request) {
  AlikeMachines alike(request);
  std::vector<store::SeriesBuild> kept;
  std::size_t column = 0;
  for (const store::SeriesBuild& build : builds) {
    store::SeriesBuild& same =
        kept.emplace_back(store::SeriesBuild{.commit = build.commit, .started = build.started, .runs = {}});
    for (const std::int64_t run : build.runs)
      if (alike.contains(table.runs()[column++])) same.runs.push_back(run);
    if (same.runs.empty()) kept.pop_back();
  }
  return kept;
}

std::vector<std::int64_t> runs_of_builds(const std::vector<store::SeriesBuild>& builds) {
  std::vector<std::int64_t> runs;
  for (const store::SeriesBuild& build : builds)
    runs.insert(runs.end(), build.runs.begin(), build.runs.end());
  return runs;
}

std::vector<analyse::LabelledSample> samples_of(const std::string& metric, const Cell& cell,
                                                std::vector<std::string>& names) {
  const analyse::Column column(cell.matrix);
  const model::MatrixRow* const row = cell.matrix.find(metric);
  const std::vector<analyse::RunLabel> labels = run_labels(cell);
  std::vector<double> values;
  column.append_values(row, analyse::Runs::all, std::nan(""), values);
  std::vector<analyse::LabelledSample> samples;
  const std::size_t first = names.size();
  for (std::size_t run = 0; run < values.size(); ++run) names.push_back(std::to_string(run));
  for (std::size_t run = 0; run < values.size(); ++run) {
    if (!column.counts(run, analyse::Runs::complete)) continue;
    const analyse::RunLabel label =
        labels.empty() ? analyse::RunLabel{.process = names[first + run]} : labels[run];
    samples.push_back({values[run], label.build, label.boot, label.process});
  }
  return samples;
}

}  // namespace

HistoryRequest history_request(std::span<const Cell> columns, bool kernel_is_compared) {
  HistoryRequest request{.axes = columns.front().axes,
                         .fingerprint = columns.front().fingerprint,
                         .kernel_is_compared = kernel_is_compared};
  for (const Cell& cell : columns) {
    request.left_out.insert(commit_of(cell.axes));
    for (const model::RunRecord& run : cell.runs) {
      if (!run.fingerprint.empty()) request.fingerprints.insert(run.fingerprint);
      request.until = std::max(request.until, run.started);
    }
  }
  return request;
}

Result<model::BuildHistory> load_history(store::Store& store, const HistoryRequest& request) {
  ASSIGN_OR_RETURN(std::vector<store::SeriesBuild> builds, store.series_builds(request.axes));
  builds = chosen_builds(std::move(builds), request);
  model::BuildHistory history;
  if (builds.empty()) return history;
  ASSIGN_OR_RETURN(history.runs, store.run_table(runs_of_builds(builds)));
  const std::vector<store::SeriesBuild> alike = alike_builds(builds, history.runs, request);
  if (runs_of_builds(alike) != runs_of_builds(builds)) {
    ASSIGN_OR_RETURN(history.runs, store.run_table(runs_of_builds(alike)));
  }
  std::size_t begin = 0;
  for (const store::SeriesBuild& build : alike) {
    history.begins.push_back(begin);
    history.commits.push_back(build.commit);
    begin += build.runs.size();
  }
  return history;
}

std::vector<analyse::RunLabel> run_labels(const Cell& cell) {
  std::vector<analyse::RunLabel> labels;
  if (cell.runs.size() != cell.matrix.columns()) return labels;
  for (const model::RunRecord& run : cell.runs)
    labels.push_back({.build = run.build_id, .boot = run.boot_id, .process = run.directory});
  return labels;
}

std::optional<model::RowVerdict> verdict_of(const std::string& metric, const Cell& a, const Cell& b,
                                            const model::BuildHistory& history,
                                            const analyse::AnswerRule& rule) {
  std::vector<std::string> names;
  names.reserve(a.matrix.columns() + b.matrix.columns());  // views into it must stay
  const std::vector<analyse::LabelledSample> from = samples_of(metric, a, names);
  const std::vector<analyse::LabelledSample> to = samples_of(metric, b, names);
  const std::vector<std::span<const double>> builds = history.of(metric);
  return analyse::metric_verdict({.a = from, .b = to, .history = builds, .rule = rule});
}

}  // namespace kilter::robot
