#include "analyse/bisect_estimate.h"

#include "analyse/information.h"

#include <algorithm>
#include <cmath>

namespace kilter::analyse {
namespace {

double missing_runs(const BisectState& state, std::size_t end, unsigned wanted) {
  return std::max(0., wanted - runs_of(state, end).n);
}

// 1 where nothing is known of the levels yet, 0 with five times the first runs of both ends.
double unknown_levels(const BisectState& state, unsigned first_runs) {
  const double known = std::min(runs_of(state, 0).n, runs_of(state, state.last).n);
  return std::clamp(1 - known / (5. * first_runs), 0., 1.);
}

}  // namespace

double prior_bits(const BisectState& state) {
  double bits = 0;
  std::size_t before = 0;
  for (std::size_t i = 1; i <= state.last; ++i) {
    if (i != state.last && state.skipped[i]) continue;
    const double mass = state.prior[i] - state.prior[before];
    if (mass > 0) bits -= mass * std::log2(mass);
    before = i;
  }
  return bits;
}

BisectEstimate estimate_bisect(const BisectState& state, double shift, double noise_runs,
                               const BisectOptions& options) {
  const double r = std::max(.05, std::abs(shift));
  const double open = 1 - options.confidence;
  const double bits = prior_bits(state);
  const double bound = options.confidence * bits / information_bits(.5, r) - std::log(open) / (r * r / 2);
  const unsigned first_runs = std::max(options.end_runs, end_runs_for(r, noise_runs));
  const double ends = missing_runs(state, 0, first_runs) + missing_runs(state, state.last, first_runs);
  const double ease = std::min(1., 2 / r);
  const double levels = 1.25 + .45 * unknown_levels(state, first_runs) * ease * ease;
  const double dear = options.costs.build / (options.costs.build + 4 * options.costs.run);
  BisectEstimate estimate{.bound = bound};
  const double search = levels * bound;
  estimate.runs = ends + search * (1 + .6 * dear);
  const double cached = double(state.cached[0]) + double(state.cached[state.last]);
  const double revisits = .3 * std::max(0., search - bits) * (1 - dear) * (1 - dear);
  estimate.builds = 2 - cached + std::min(double(state.last) - 1, bits + revisits);
  estimate.cost = estimate.runs * options.costs.run + estimate.builds * options.costs.build;
  return estimate;
}

}  // namespace kilter::analyse
