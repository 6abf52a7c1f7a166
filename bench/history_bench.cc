// What a point costs in the history of a metric, and a whole series. The bars: microseconds, and 1.2 ms for
// 500 points (100,000 series in 60 s on two cores).
#include "analyse/change_points.h"

#include <benchmark/benchmark.h>

#include <cmath>
#include <random>
#include <vector>

namespace kilter::analyse {
namespace {

// Noise of 1 % with a step every `level_points`; 0: without steps.
std::vector<double> make_series(std::size_t points, std::size_t level_points) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> noise(0, 0.01);
  std::vector<double> values;
  for (std::size_t i = 0; i < points; ++i) {
    const bool high = level_points > 0 && i / level_points % 2 == 1;
    values.push_back(1000 * std::exp(noise(random) + (high ? 0.05 : 0)));
  }
  return values;
}

// A point into PELT's state of a series as long as this.
void append_to_partition(benchmark::State& state) {
  const std::vector<double> values =
      make_series(static_cast<std::size_t>(state.range(0)), static_cast<std::size_t>(state.range(1)));
  const Standardised series = standardised(values);
  Pelt fit(5 * std::log(static_cast<double>(values.size())));
  for (const double value : series.values) fit.append(value);
  Pelt::Mark full;
  fit.mark(full);
  std::size_t next = 0;
  for (auto _ : state) {
    fit.append(series.values[next]);
    next = (next + 1) % 64;
    if (next == 0) fit.rewind(full);
  }
  state.counters["candidates"] = static_cast<double>(fit.candidates());
}
BENCHMARK(append_to_partition)
    ->ArgNames({"points", "level"})
    ->Args({500, 0})
    ->Args({500, 50})
    ->Args({100'000, 0})
    ->Args({100'000, 50})
    ->Args({1'000'000, 0});

// A point with all that it entails: the suspect tier, estimates anew, forgetting what is settled.
void append_to_history(benchmark::State& state) {
  const std::vector<double> values = make_series(100'000, static_cast<std::size_t>(state.range(0)));
  SeriesHistory history;
  std::size_t next = 0;
  for (auto _ : state) {
    history.append(values[next]);
    benchmark::DoNotOptimize(history.newest_suspect());
    next = (next + 1) % values.size();
  }
}
BENCHMARK(append_to_history)->ArgName("level")->Arg(0)->Arg(50)->Arg(1000);

void ask_for_changes(benchmark::State& state) {
  SeriesHistory history;
  for (const double value : make_series(static_cast<std::size_t>(state.range(0)), 100)) history.append(value);
  for (auto _ : state) benchmark::DoNotOptimize(history.changes());
}
BENCHMARK(ask_for_changes)
    ->ArgName("points")
    ->Arg(100)
    ->Arg(500)
    ->Arg(2000)
    ->Arg(100'000)
    ->Unit(benchmark::kMicrosecond);

void scan_series(benchmark::State& state) {
  const std::vector<double> values =
      make_series(static_cast<std::size_t>(state.range(0)), static_cast<std::size_t>(state.range(1)));
  for (auto _ : state) benchmark::DoNotOptimize(change_points(values));
}
BENCHMARK(scan_series)
    ->ArgNames({"points", "level"})
    ->Args({500, 0})
    ->Args({500, 100})
    ->Args({1'000'000, 0})
    ->Args({1'000'000, 100})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace kilter::analyse

BENCHMARK_MAIN();
