#include "analyse/bisect_rest.h"

#include <cmath>

namespace kilter::analyse {
namespace {

// By the pair of ends, or by all runs between them.
bool shows_change(const BisectRest& rest, const BisectPosterior& posterior, const BisectOptions& options) {
  if (posterior.gaps.empty()) return false;
  return rest.pair.p < options.alpha || (posterior.none > 0 && posterior.none <= options.none_limit);
}

BisectRest compare_rest(const BisectState& state, const BisectModel& model, const BisectOptions& options,
                        std::size_t first, std::size_t last, double least) {
  const BisectState part = part_of(state, first, last);
  const BisectPosterior posterior = bisect_posterior(part, model);
  BisectOptions own;
  if (options.pair_p) {
    own.pair_p = [&](std::size_t a, std::size_t b) { return options.pair_p(a + first, b + first); };
  }
  BisectRest rest{.first = first, .last = last};
  if (!posterior.gaps.empty()) rest.pair = compare_pair(part, model, own, posterior, 0, part.last);
  rest.pair.parent = first;
  rest.pair.commit = last;
  if (!posterior.gaps.empty()) rest.none = posterior.none;
  rest.holds_change = shows_change(rest, posterior, options) && std::abs(rest.pair.difference) >= least;
  return rest;
}

}  // namespace

BisectModel model_of_rest(const BisectModel& model) {
  BisectModel rest = model;
  std::visit([](auto& any) { any.sign = 0; }, rest);
  return rest;
}

std::vector<BisectRest> bisect_rests(const BisectState& state, const BisectModel& model,
                                     const BisectOptions& options, const CommitSet& culprit, double least) {
  const BisectModel either = model_of_rest(model);
  std::vector<BisectRest> rests;
  if (culprit.first > 1) rests.push_back(compare_rest(state, either, options, 0, culprit.first - 1, least));
  if (culprit.last < state.last) {
    rests.push_back(compare_rest(state, either, options, culprit.last, state.last, least));
  }
  return rests;
}

}  // namespace kilter::analyse
