#include "verdicts/bisect_searches.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <variant>
#include <vector>

namespace kilter::verdicts {
namespace {

using Runs = std::vector<double>;

// Of each end, for the searches that do not ask again.
unsigned end_runs(double shift) {
  return unsigned(std::max(3., std::ceil(12 / (shift * shift))));
}

void extend(BisectWorld& world, std::size_t commit, std::size_t n, Runs& runs) {
  for (std::size_t i = 0; i < n; ++i) runs.push_back(world.run(commit));
}

Runs measure(BisectWorld& world, std::size_t commit, std::size_t n) {
  Runs runs;
  extend(world, commit, n, runs);
  return runs;
}

double mean_of(const Runs& runs) {
  return std::accumulate(runs.begin(), runs.end(), 0.) / double(runs.size());
}

double squares_of(const Runs& runs) {
  const double mean = mean_of(runs);
  double sum = 0;
  for (const double run : runs) sum += (run - mean) * (run - mean);
  return sum;
}

// |t| above the two-sided 1 % quantile of Student's distribution (Cornish and Fisher's expansion, good to .1
// % from 8 degrees of freedom).
bool differ(const Runs& a, const Runs& b) {
  const double df = double(a.size() + b.size()) - 2;
  const double variance = (squares_of(a) + squares_of(b)) / df;
  const double t =
      std::abs(mean_of(a) - mean_of(b)) / std::sqrt(variance * (1 / double(a.size()) + 1 / double(b.size())));
  constexpr double z = 2.5758293035489;
  const double first = (z * z * z + z) / (4 * df);
  const double second = (5 * std::pow(z, 5) + 16 * z * z * z + 3 * z) / (96 * df * df);
  return t > z + first + second;
}

std::size_t halve(std::size_t last, const auto& is_bad) {
  std::size_t good = 0;
  std::size_t bad = last;
  while (bad - good > 1) {
    const std::size_t middle = (good + bad) / 2;
    (is_bad(middle) ? bad : good) = middle;
  }
  return bad;
}

// The upper median, as LKP takes it.
double median_of(const Runs& sorted) {
  return sorted[sorted.size() / 2];
}

bool lkp_changed(const Runs& base, const Runs& head) {
  return (head.front() > median_of(base) && median_of(head) > base.back()) ||
         (base.front() > median_of(head) && median_of(base) > head.back());
}

bool nearer(double value, double to, double than) {
  return std::abs(value - to) < std::abs(value - than);
}

std::size_t likeliest_commit(const analyse::BisectState& state, const analyse::BisectPosterior& posterior) {
  std::size_t best = 1;
  double most = -1;
  for (const analyse::BisectGap& gap : posterior.gaps) {
    if (gap.mass <= most) continue;
    for (std::size_t i = gap.after + 1; i <= gap.upto; ++i) {
      const double mass = analyse::probability_of(state, posterior, i);
      if (mass > most) {
        most = mass;
        best = i;
      }
    }
  }
  return best;
}

}  // namespace

std::size_t search_fixed(BisectWorld& world, unsigned n) {
  const std::size_t last = world.options().commits;
  const unsigned ends = end_runs(world.options().shift);
  const double good = mean_of(measure(world, 0, ends));
  const double bad = mean_of(measure(world, last, ends));
  return halve(last, [&](std::size_t i) { return nearer(mean_of(measure(world, i, n)), bad, good); });
}

std::size_t search_lkp(BisectWorld& world, unsigned n) {
  Runs good = measure(world, 0, std::max(n, 3u));
  (void)measure(world, world.options().commits, std::max(n, 3u));
  std::sort(good.begin(), good.end());
  return halve(world.options().commits, [&](std::size_t i) {
    Runs head = measure(world, i, n);
    std::sort(head.begin(), head.end());
    return lkp_changed(good, head);
  });
}

std::size_t search_doubling(BisectWorld& world) {
  constexpr std::size_t kFirst = 5;
  constexpr std::size_t kMost = 160;
  const std::size_t last = world.options().commits;
  const std::size_t ends = std::max(10u, end_runs(world.options().shift));
  Runs good = measure(world, 0, ends);
  Runs bad = measure(world, last, ends);
  return halve(last, [&](std::size_t i) {
    Runs head = measure(world, i, kFirst);
    while (true) {
      const bool not_good = differ(head, good);
      const bool not_bad = differ(head, bad);
      if (not_good != not_bad) return not_good;
      if (head.size() >= kMost || not_good) return nearer(mean_of(head), mean_of(bad), mean_of(good));
      extend(world, i, head.size(), head);
      if (good.size() < head.size()) {
        extend(world, last, head.size() - bad.size(), bad);
        extend(world, 0, head.size() - good.size(), good);
      }
    }
  });
}

BayesSearch bayes_search(double expected_shift) {
  constexpr double kNoiseRuns = 20;
  BayesSearch search;
  search.model = analyse::ShiftModel{.noise_runs = kNoiseRuns, .noise = 1, .sign = 1};
  search.options.end_runs = analyse::end_runs_for(expected_shift, kNoiseRuns);
  search.options.end_budget = 8 * end_runs(expected_shift);
  return search;
}

BayesOutcome search_bayes(BisectWorld& world, const BayesSearch& search) {
  const std::size_t last = world.options().commits;
  analyse::BisectState state =
      search.weights.empty() ? *analyse::make_bisect(last) : *analyse::make_bisect(search.weights);
  for (unsigned i = 0; i < search.free_runs; ++i) {
    for (const std::size_t end : {std::size_t{0}, last}) {
      (void)analyse::add_run(state, end, world.free_run(end));
    }
  }
  return search_part(world, search, std::move(state), 0);
}

BayesOutcome search_part(BisectWorld& world, const BayesSearch& search, analyse::BisectState part,
                         std::size_t first) {
  BayesOutcome outcome{.answer = {}, .state = std::move(part)};
  analyse::BisectState& state = outcome.state;
  while (true) {
    const analyse::BisectStep step = analyse::bisect_step(state, search.model, search.options);
    if (const analyse::BisectAnswer* answer = std::get_if<analyse::BisectAnswer>(&step.next)) {
      outcome.answer = *answer;
      outcome.likeliest = first + likeliest_commit(state, step.posterior);
      return outcome;
    }
    const analyse::BisectRun& run = std::get<analyse::BisectRun>(step.next);
    if (!world.builds(first + run.commit)) {
      state.skipped[run.commit] = true;
      continue;
    }
    state.cached[run.commit] = true;
    for (unsigned i = 0; i < run.runs; ++i) {
      (void)analyse::add_run(state, run.commit, world.run(first + run.commit));
    }
  }
}

}  // namespace kilter::verdicts
