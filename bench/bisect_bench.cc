// A step of a bisect over 10,000 commits of which hundreds are tested. The bar: 10 ms.
#include "analyse/bisect_step.h"

#include <benchmark/benchmark.h>

#include <cmath>
#include <cstddef>
#include <random>

namespace kilter::analyse {
namespace {

constexpr std::size_t kCommits = 10'000;
constexpr std::size_t kCulprit = 6'180;

// Commits tested all over the range, most of them near the culprit, as a search leaves them.
BisectState tested_range(std::size_t tested, const auto& measure) {
  BisectState state = *make_bisect(kCommits);
  std::mt19937_64 dice(1);
  std::uniform_real_distribution<double> share(0, 1);
  (void)add_run(state, 0, measure(0, dice));
  (void)add_run(state, kCommits, measure(kCommits, dice));
  while (state.tested.size() < tested) {
    const double distance = 4'000 * std::pow(share(dice), 3);
    const double side = share(dice) < .5 ? -1 : 1;
    const double place = double(kCulprit) + side * distance;
    const std::size_t commit = std::size_t(std::lround(std::max(1., std::min(place, kCommits - 1.))));
    for (int run = 0; run < 3; ++run) (void)add_run(state, commit, measure(commit, dice));
    state.cached[commit] = true;
  }
  for (const std::size_t end : {std::size_t{0}, kCommits}) {
    while (runs_of(state, end).n < double(tested)) (void)add_run(state, end, measure(end, dice));
  }
  return state;
}

void run_steps(benchmark::State& bench, const BisectState& state, const BisectModel& model) {
  BisectOptions options;
  options.confidence = .9999999;  // it goes on looking
  options.most_runs = 1e9;
  options.costs = {.run = 1, .build = 5, .distance = .1};
  (void)bisect_step(state, model, options);  // makes the tables
  for (auto _ : bench) benchmark::DoNotOptimize(bisect_step(state, model, options));
}

void step_of_shift(benchmark::State& bench) {
  const BisectState state =
      tested_range(std::size_t(bench.range(0)), [](std::size_t i, std::mt19937_64& dice) {
        return std::normal_distribution<double>()(dice) + (i >= kCulprit ? .6 : 0);
      });
  run_steps(bench, state, ShiftModel{.noise_runs = 20, .noise = 1});
}

void step_of_outcome(benchmark::State& bench) {
  const BisectState state =
      tested_range(std::size_t(bench.range(0)), [](std::size_t i, std::mt19937_64& dice) {
        return std::bernoulli_distribution(i >= kCulprit ? .3 : .1)(dice) ? 1. : 0.;
      });
  run_steps(bench, state, OutcomeModel{});
}

BENCHMARK(step_of_shift)->Arg(30)->Arg(100)->Arg(300)->Arg(500)->Unit(benchmark::kMillisecond);
BENCHMARK(step_of_outcome)->Arg(30)->Arg(100)->Arg(300)->Arg(500)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace kilter::analyse

BENCHMARK_MAIN();
