#include "analyse/bisect_candidates.h"

#include "analyse/information.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace kilter::analyse {
namespace {

constexpr double kLeastGapMass = .002;

// Cumulative over the gaps, given that something changes.
struct GapSums {
  std::vector<double> mass;   // [g]: of the gaps before g
  std::vector<double> right;  // of the gaps before g, times their bad level
  std::vector<double> left;   // of the gaps from g on, times their good level
};

GapSums gap_sums(const BisectPosterior& posterior) {
  const std::size_t count = posterior.gaps.size();
  const double some = 1 - posterior.none;
  GapSums sums{std::vector<double>(count + 1), std::vector<double>(count + 1),
               std::vector<double>(count + 1)};
  for (std::size_t g = 0; g < count; ++g) {
    const BisectGap& gap = posterior.gaps[g];
    sums.mass[g + 1] = sums.mass[g] + gap.mass / some;
    sums.right[g + 1] = sums.right[g] + gap.mass / some * gap.right;
  }
  for (std::size_t g = count; g > 0; --g) {
    const BisectGap& gap = posterior.gaps[g - 1];
    sums.left[g - 1] = sums.left[g] + gap.mass / some * gap.left;
  }
  return sums;
}

class BuildPrices {
 public:
  BuildPrices(const BisectState& state, const BisectCosts& costs) : state_(state), costs_(costs) {
    if (!(costs.distance > 0)) return;
    for (std::size_t i = 0; i <= state.last; ++i) {
      if (state.cached[i]) at_hand_.push_back(i);
    }
  }

  [[nodiscard]] double of(std::size_t commit) const {
    if (state_.cached[commit]) return 0;
    if (!(costs_.distance > 0) || at_hand_.empty()) return costs_.build;
    const auto after = std::lower_bound(at_hand_.begin(), at_hand_.end(), commit);
    double nearest = std::numeric_limits<double>::infinity();
    if (after != at_hand_.end()) nearest = place(*after) - place(commit);
    if (after != at_hand_.begin()) nearest = std::min(nearest, place(commit) - place(*(after - 1)));
    return costs_.build + costs_.distance * nearest;
  }

 private:
  [[nodiscard]] double place(std::size_t commit) const {
    return state_.distance.empty() ? double(commit) : state_.distance[commit];
  }

  const BisectState& state_;
  const BisectCosts& costs_;
  std::vector<std::size_t> at_hand_;
};

// The untested commits of one gap that are worth a look.
class GapSearch {
 public:
  GapSearch(const BisectState& state, const BisectGap& gap) : state_(state), gap_(gap) {}

  // The nearest ones on both sides of where the prior's share within the gap is `share`.
  [[nodiscard]] std::vector<std::size_t> around(double share, bool only_cached) const {
    const double wanted = std::lerp(state_.prior[gap_.after], state_.prior[gap_.upto], share);
    const auto begin = state_.prior.begin();
    const auto place =
        std::lower_bound(begin + std::ptrdiff_t(gap_.after) + 1, begin + std::ptrdiff_t(gap_.upto), wanted);
    const std::size_t middle = std::min(std::size_t(place - begin), gap_.upto - 1);
    std::vector<std::size_t> found;
    for (std::size_t i = middle; i < gap_.upto && found.empty(); ++i) add(found, i, only_cached);
    const std::size_t before = found.size();
    for (std::size_t i = middle - 1; i > gap_.after && found.size() == before; --i)
      add(found, i, only_cached);
    return found;
  }

 private:
  void add(std::vector<std::size_t>& found, std::size_t commit, bool only_cached) const {
    if (state_.skipped[commit] || (only_cached && !state_.cached[commit])) return;
    found.push_back(commit);
  }

  const BisectState& state_;
  const BisectGap& gap_;
};

class CandidateList {
 public:
  CandidateList(const BisectState& state, const BisectPosterior& posterior, const BisectCosts& costs)
      : state_(state), posterior_(posterior), sums_(gap_sums(posterior)), prices_(state, costs) {}

  // `share`: of gap g's mass, at or before the commit.
  void add(std::size_t commit, std::size_t g, double share, double runs) {
    const double inside =
        g < posterior_.gaps.size() ? share * posterior_.gaps[g].mass / (1 - posterior_.none) : 0;
    const double p = sums_.mass[g] + inside;
    if (p <= 1e-9 || p >= 1 - 1e-9) return;
    const double right = inside > 0 ? inside * posterior_.gaps[g].right : 0;
    const double left = inside > 0 ? inside * posterior_.gaps[g].left : 0;
    list_.push_back({.commit = commit,
                     .runs = runs,
                     .probability = p,
                     .level_if = (sums_.right[g] + right) / p,
                     .level_if_not = (sums_.left[g] - left) / (1 - p),
                     .build = prices_.of(commit)});
  }

  void add_untested(std::size_t g) {
    const BisectGap& gap = posterior_.gaps[g];
    const double mass = gap.mass / (1 - posterior_.none);
    if (mass <= kLeastGapMass || gap.upto - gap.after < 2) return;
    const double share = std::clamp((.5 - sums_.mass[g]) / mass, 0., 1.);
    const double width = state_.prior[gap.upto] - state_.prior[gap.after];
    for (const bool only_cached : {false, true}) {
      for (const std::size_t commit : GapSearch(state_, gap).around(share, only_cached)) {
        if (only_cached && list_.back().commit == commit) continue;
        add(commit, g, (state_.prior[commit] - state_.prior[gap.after]) / width, 0);
      }
    }
  }

  [[nodiscard]] std::vector<BisectCandidate> take() { return std::move(list_); }

 private:
  const BisectState& state_;
  const BisectPosterior& posterior_;
  GapSums sums_;
  BuildPrices prices_;
  std::vector<BisectCandidate> list_;
};

// Bits of `runs` more runs of a commit.
double bits_of(const BisectCandidate& candidate, const BisectModel& model, const BisectPosterior& posterior,
               unsigned runs) {
  if (const ShiftModel* shift = std::get_if<ShiftModel>(&model)) {
    const double lam = shift->build_ratio;
    const double all = candidate.runs + runs;
    const double gain = all / (1 + lam * all) - candidate.runs / (1 + lam * candidate.runs);
    const double separation = std::abs(candidate.level_if - candidate.level_if_not) / posterior.noise;
    return information_bits(candidate.probability, separation * std::sqrt(gain));
  }
  return trial_information_bits(candidate.probability, candidate.level_if, candidate.level_if_not, runs);
}

}  // namespace

std::vector<BisectCandidate> bisect_candidates(const BisectState& state, const BisectPosterior& posterior,
                                               const BisectCosts& costs) {
  CandidateList list(state, posterior, costs);
  for (std::size_t k = 0; k < state.tested.size(); ++k) {
    const CommitRuns& runs = state.tested[k];
    const bool is_end = runs.commit == 0 || runs.commit == state.last;
    if (!is_end && !state.skipped[runs.commit]) list.add(runs.commit, k, 0, runs.n);
  }
  for (std::size_t g = 0; g < posterior.gaps.size(); ++g) list.add_untested(g);
  return list.take();
}

BisectChoice best_choice(const std::vector<BisectCandidate>& candidates, const BisectModel& model,
                         const BisectOptions& options, const BisectPosterior& posterior) {
  BisectChoice best;
  for (const BisectCandidate& candidate : candidates) {
    const double open = entropy_bits(candidate.probability);
    for (const unsigned runs : options.batches) {
      const double cost = candidate.build + runs * options.costs.run;
      if (best.runs > 0 && open <= best.rate * cost) continue;  // it could not be better
      const double bits = bits_of(candidate, model, posterior, runs);
      const double rate = bits / cost;
      if (best.runs == 0 || rate > best.rate) best = {candidate.commit, runs, bits, rate};
    }
  }
  return best;
}

}  // namespace kilter::analyse
