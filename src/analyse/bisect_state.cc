#include "analyse/bisect_state.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace kilter::analyse {
namespace {

std::vector<CommitRuns>::const_iterator place_of(const BisectState& state, std::size_t commit) {
  return std::lower_bound(state.tested.begin(), state.tested.end(), commit,
                          [](const CommitRuns& runs, std::size_t wanted) { return runs.commit < wanted; });
}

CommitRuns& entry_of(BisectState& state, std::size_t commit) {
  const std::ptrdiff_t index = std::distance(state.tested.cbegin(), place_of(state, commit));
  const std::vector<CommitRuns>::iterator place = state.tested.begin() + index;
  if (place != state.tested.end() && place->commit == commit) return *place;
  return *state.tested.insert(place, CommitRuns{.commit = commit});
}

template <class T>
std::vector<T> slice_of(const std::vector<T>& values, std::size_t first, std::size_t last) {
  if (values.empty()) return {};
  return std::vector<T>(values.begin() + std::ptrdiff_t(first), values.begin() + std::ptrdiff_t(last) + 1);
}

void fill_alike(std::vector<double>& prior) {
  const double steps = double(prior.size() - 1);
  for (std::size_t i = 0; i < prior.size(); ++i) prior[i] = double(i) / steps;
}

}  // namespace

Result<BisectState> make_bisect(std::span<const double> weights) {
  if (weights.empty()) {
    return failure("bisecting a range without commits", "the bad end must come after the good one");
  }
  BisectState state;
  state.last = weights.size();
  state.prior = {0};
  state.prior.reserve(weights.size() + 1);
  for (const double weight : weights) {
    if (!std::isfinite(weight) || weight < 0) {
      return failure(fmt::format("bisecting: the weight of commit {} is {}", state.prior.size(), weight),
                     "a weight is 0 or more");
    }
    state.prior.push_back(state.prior.back() + weight);
  }
  const double sum = state.prior.back();
  if (!(sum > 0) || !std::isfinite(sum)) {
    return failure("bisecting: no commit may be the culprit", "give one commit a weight above 0");
  }
  for (double& share : state.prior) share /= sum;
  state.skipped.assign(state.prior.size(), false);
  state.cached.assign(state.prior.size(), false);
  return state;
}

Result<BisectState> make_bisect(std::size_t last) {
  return make_bisect(std::vector<double>(last, 1.));
}

Status add_run(BisectState& state, std::size_t commit, double value) {
  if (commit > state.last) {
    return failure(fmt::format("adding a run of commit {}: the range ends at {}", commit, state.last));
  }
  if (!std::isfinite(value)) {
    return failure(fmt::format("adding a run of commit {}: {} is no number", commit, value));
  }
  CommitRuns& runs = entry_of(state, commit);
  runs.n += 1;
  const double before = value - runs.mean;
  runs.mean += before / runs.n;
  runs.squares += before * (value - runs.mean);
  return {};
}

CommitRuns runs_of(const BisectState& state, std::size_t commit) {
  const std::vector<CommitRuns>::const_iterator place = place_of(state, commit);
  if (place != state.tested.end() && place->commit == commit) return *place;
  return CommitRuns{.commit = commit};
}

double total_runs(const BisectState& state) {
  double sum = 0;
  for (const CommitRuns& runs : state.tested) sum += runs.n;
  return sum;
}

BisectState part_of(const BisectState& state, std::size_t first, std::size_t last) {
  BisectState part;
  part.last = last - first;
  part.prior = slice_of(state.prior, first, last);
  part.skipped = slice_of(state.skipped, first, last);
  part.cached = slice_of(state.cached, first, last);
  part.distance = slice_of(state.distance, first, last);
  const double before = part.prior.front();
  const double mass = part.prior.back() - before;
  for (double& share : part.prior) share = (share - before) / mass;
  if (!(mass > 0)) fill_alike(part.prior);
  for (const CommitRuns& runs : state.tested) {
    if (runs.commit < first || runs.commit > last) continue;
    part.tested.push_back(runs);
    part.tested.back().commit -= first;
  }
  return part;
}

}  // namespace kilter::analyse
