// The verdicts of one comparison: 5,000 metrics, 5 runs a side, 20 builds of history. The bar is 50 ms for
// the test.
#include "analyse/correlated.h"
#include "analyse/metric_verdicts.h"

#include <benchmark/benchmark.h>

#include <cmath>
#include <random>

namespace kilter {
namespace {

constexpr std::size_t kMetrics = 5000;
constexpr std::size_t kRuns = 5;
constexpr std::size_t kBuilds = 20;

using Samples = std::vector<double>;

struct Metric {
  std::vector<Samples> blocks;  // a, b, builds
  std::vector<std::span<const double>> history;
};

std::vector<Metric> make_metrics() {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  std::vector<Metric> metrics(kMetrics);
  for (Metric& metric : metrics) {
    const double scale = 0.01 * std::exp(normal(random));
    for (std::size_t block = 0; block < kBuilds + 2; ++block) {
      const double build = 0.3 * scale * normal(random);
      Samples& runs = metric.blocks.emplace_back();
      for (std::size_t run = 0; run < kRuns; ++run)
        runs.push_back(1000 * std::exp(build + scale * normal(random)));
    }
    metric.history.assign(metric.blocks.begin() + 2, metric.blocks.end());
  }
  return metrics;
}

std::vector<analyse::MetricEvidence> evidence_of(const std::vector<Metric>& metrics) {
  std::vector<analyse::MetricEvidence> evidence;
  for (const Metric& metric : metrics)
    evidence.push_back({.runs = {.a = metric.blocks[0], .b = metric.blocks[1], .history = metric.history}});
  return evidence;
}

// Samples, priors, p, interval and resolution of each metric.
void test_all(benchmark::State& state) {
  const std::vector<Metric> metrics = make_metrics();
  const std::vector<analyse::MetricEvidence> evidence = evidence_of(metrics);
  for (auto _ : state) {
    std::vector<analyse::RecSamples> samples;
    for (const analyse::MetricEvidence& metric : evidence)
      samples.push_back(analyse::rec_samples(metric.runs).value());
    const analyse::RecPriors priors = analyse::fit_rec_priors(samples);
    for (const analyse::RecSamples& sample : samples)
      benchmark::DoNotOptimize(analyse::rec_test(sample, priors));
  }
}

void find_copies(benchmark::State& state) {
  const std::vector<Metric> metrics = make_metrics();
  std::vector<std::vector<std::span<const double>>> blocks;
  for (const Metric& metric : metrics) blocks.emplace_back(metric.blocks.begin(), metric.blocks.end());
  const std::vector<analyse::RunBlocks> views(blocks.begin(), blocks.end());
  for (auto _ : state) benchmark::DoNotOptimize(analyse::correlated_groups(views));
}

// All of it: test, copies, false discovery rate, answers.
void answer_all(benchmark::State& state) {
  const std::vector<Metric> metrics = make_metrics();
  const std::vector<analyse::MetricEvidence> evidence = evidence_of(metrics);
  for (auto _ : state) benchmark::DoNotOptimize(analyse::metric_verdicts(evidence));
}

BENCHMARK(test_all)->Unit(benchmark::kMillisecond);
BENCHMARK(find_copies)->Unit(benchmark::kMillisecond);
BENCHMARK(answer_all)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace kilter

BENCHMARK_MAIN();
