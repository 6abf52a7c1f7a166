#include "analyse/bisect_outcome.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace kilter::analyse {
namespace {

constexpr std::size_t kRates = 256;

struct RateGrid {
  std::array<double, kRates> rate;
  std::array<double, kRates> log_fail;
  std::array<double, kRates> log_pass;
  std::array<double, kRates> log_width;  // of the cell, as a share of all rates
};

RateGrid make_rate_grid() {
  RateGrid grid{};
  const double step = std::numbers::pi / 2 / double(kRates);
  for (std::size_t i = 0; i < kRates; ++i) {
    const double angle = (double(i) + .5) * step;
    const double fail = std::sin(angle);
    const double pass = std::cos(angle);
    grid.rate[i] = fail * fail;
    grid.log_fail[i] = 2 * std::log(fail);
    grid.log_pass[i] = 2 * std::log(pass);
    grid.log_width[i] = std::log(2 * fail * pass * step);
  }
  return grid;
}

const RateGrid& rate_grid() {
  static const RateGrid kGrid = make_rate_grid();
  return kGrid;
}

struct Outcomes {
  double failures = 0;
  double passes = 0;
};

// What is believed of a rate on the grid: weights that sum to 1, times exp(log_scale) (the evidence).
struct RateBelief {
  std::array<double, kRates> weight;
  double log_scale = 0;
};

RateBelief believe(const RatePrior& prior, const Outcomes& seen) {
  const RateGrid& grid = rate_grid();
  const double failures = prior.failures + seen.failures - 1;
  const double passes = prior.passes + seen.passes - 1;
  RateBelief belief{};
  double most = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < kRates; ++i) {
    belief.weight[i] = failures * grid.log_fail[i] + passes * grid.log_pass[i] + grid.log_width[i];
    most = std::max(most, belief.weight[i]);
  }
  double sum = 0;
  for (double& weight : belief.weight) sum += weight = std::exp(weight - most);
  for (double& weight : belief.weight) weight /= sum;
  belief.log_scale = most + std::log(sum) - std::lgamma(prior.failures) - std::lgamma(prior.passes) +
                     std::lgamma(prior.failures + prior.passes);
  return belief;
}

// Both rates, given that the higher one is at least `least` above the lower one.
struct RatePair {
  double probability = 0;  // of that, unconditionally
  double lower = 0;        // means
  double higher = 0;
  double lower_square = 0;
  double higher_square = 0;
};

RatePair ordered(const RateBelief& lower, const RateBelief& higher, double least) {
  const RateGrid& grid = rate_grid();
  RatePair pair;
  double mass = 0;
  double sum = 0;
  double squares = 0;
  std::size_t below = 0;
  for (std::size_t i = 0; i < kRates; ++i) {
    const double rate = grid.rate[i];
    for (; below < i && grid.rate[below] + least <= rate; ++below) {
      mass += lower.weight[below];
      sum += lower.weight[below] * grid.rate[below];
      squares += lower.weight[below] * grid.rate[below] * grid.rate[below];
    }
    pair.probability += higher.weight[i] * mass;
    pair.lower += higher.weight[i] * sum;
    pair.lower_square += higher.weight[i] * squares;
    pair.higher += higher.weight[i] * mass * rate;
    pair.higher_square += higher.weight[i] * mass * rate * rate;
  }
  const double share = std::max(pair.probability, 1e-300);
  for (double* mean : {&pair.lower, &pair.lower_square, &pair.higher, &pair.higher_square}) *mean /= share;
  return pair;
}

double deviation(double mean, double mean_square) {
  return std::sqrt(std::max(0., mean_square - mean * mean));
}

// The share of the priors that the restriction leaves.
double allowed(const OutcomeModel& model, bool rises) {
  const RateBelief good = believe(model.good, {});
  const RateBelief bad = believe(model.bad, {});
  return (rises ? ordered(good, bad, model.least) : ordered(bad, good, model.least)).probability;
}

struct OutcomeFit {
  double log_likelihood = 0;
  GapErrors errors;
};

OutcomeFit fit_outcome_gap(const OutcomeModel& model, bool rises, const Outcomes& left, const Outcomes& right,
                           BisectGap& gap) {
  const RateBelief good = believe(model.good, left);
  const RateBelief bad = believe(model.bad, right);
  const RatePair pair = rises ? ordered(good, bad, model.least) : ordered(bad, good, model.least);
  const double lower_error = deviation(pair.lower, pair.lower_square);
  const double higher_error = deviation(pair.higher, pair.higher_square);
  gap.left = rises ? pair.lower : pair.higher;
  gap.right = rises ? pair.higher : pair.lower;
  return {.log_likelihood = good.log_scale + bad.log_scale + std::log(std::max(1e-12, pair.probability)),
          .errors = rises ? GapErrors{lower_error, higher_error} : GapErrors{higher_error, lower_error}};
}

Outcomes outcomes_of(const CommitRuns& runs) {
  const double failures = std::clamp(runs.mean * runs.n, 0., runs.n);
  return {failures, runs.n - failures};
}

}  // namespace

BisectPosterior outcome_posterior(const BisectState& state, const OutcomeModel& model) {
  BisectPosterior posterior;
  if (state.tested.size() < 2 || state.tested.front().commit != 0 ||
      state.tested.back().commit != state.last) {
    return posterior;
  }
  const double ends = state.tested.back().mean - state.tested.front().mean;
  const bool rises = model.sign != 0 ? model.sign > 0 : ends >= 0;
  Outcomes all;
  for (const CommitRuns& runs : state.tested) {
    all.failures += outcomes_of(runs).failures;
    all.passes += outcomes_of(runs).passes;
  }
  const double some =
      std::log1p(-std::min(model.none, 1 - 1e-12)) - std::log(std::max(1e-12, allowed(model, rises)));
  std::vector<double> logs;
  std::vector<GapErrors> errors;
  Outcomes left;
  for (std::size_t k = 0; k + 1 < state.tested.size(); ++k) {
    const Outcomes here = outcomes_of(state.tested[k]);
    left = {left.failures + here.failures, left.passes + here.passes};
    BisectGap gap{.after = state.tested[k].commit, .upto = state.tested[k + 1].commit};
    const Outcomes right{all.failures - left.failures, all.passes - left.passes};
    const OutcomeFit fit = fit_outcome_gap(model, rises, left, right, gap);
    logs.push_back(fit.log_likelihood + some + std::log(state.prior[gap.upto] - state.prior[gap.after]));
    errors.push_back(fit.errors);
    posterior.gaps.push_back(gap);
  }
  std::optional<double> none;
  if (model.none > 0) none = believe(model.good, all).log_scale + std::log(model.none);
  normalise(posterior, logs, none);
  average_levels(posterior, errors);
  return posterior;
}

}  // namespace kilter::analyse
