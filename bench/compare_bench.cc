// From two matrices to the printed table: 5,001 metrics, 6 runs a side. The bar for the whole process,
// reading matrix.json included, is 20 ms; bench/make_matrix.py writes such a pair for `kilter compare`.
#include "analyse/compare.h"
#include "report/table.h"
#include "store/lkp_json.h"

#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include <random>

namespace kilter {
namespace {

constexpr int kMetrics = 5001;
constexpr int kRuns = 6;

std::string key_of(int index) {
  switch (index % 10) {
    case 0:
      return fmt::format("slabinfo.cache_{}.active_objs", index);
    case 1:
      return fmt::format("sched_debug.cfs_rq:/.field_{}.avg", index);
    case 2:
      return fmt::format("interrupts.CPU{}.irq_{}", index % 192, index / 192);
    case 3:
      return fmt::format("proc-vmstat.nr_counter_{}", index);
    case 4:
      return fmt::format("perf-sched.wait_time.max.ms.symbol_{}.caller", index);
    case 5:
      return fmt::format("numa-vmstat.node{}.nr_counter_{}", index % 2, index / 2);
    default:
      return fmt::format("perf-profile.children.cycles-pp.symbol_{}.caller_{}", index, index % 97);
  }
}

// One metric in `changed_every` is 10 % higher in the head.
model::Matrix make_matrix(bool head, int changed_every) {
  std::mt19937 noise(head ? 2 : 1);
  model::Matrix matrix;
  for (int index = 0; index < kMetrics; ++index) {
    const double level = 1000 + 37.0 * index;
    const double shift = head && index % changed_every == 0 ? 1.1 : 1;
    model::MatrixRow& row = matrix.rows.emplace_back(model::MatrixRow{.key = key_of(index), .values = {}});
    for (int run = 0; run < kRuns; ++run)
      row.values.emplace_back(level * shift * (1 + static_cast<double>(noise() % 1000) / 1e5));
  }
  return matrix;
}

std::string compared(const model::Matrix& base, const model::Matrix& head) {
  const std::vector<analyse::CompareInput> inputs = {
      {.axes = {{"commit", "base"}}, .label = "", .subject = "", .matrix = &base},
      {.axes = {{"commit", "head"}}, .label = "", .subject = "", .matrix = &head}};
  const Result<model::CompareTable> table = analyse::compare(inputs, {});
  return table ? report::table_text(*table) : table.error().message;
}

void compare_and_print(benchmark::State& state) {
  const model::Matrix base = make_matrix(false, static_cast<int>(state.range(0)));
  const model::Matrix head = make_matrix(true, static_cast<int>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(compared(base, head));
}

void read_compare_and_print(benchmark::State& state) {
  const std::string base = store::write_matrix(make_matrix(false, 6));
  const std::string head = store::write_matrix(make_matrix(true, 6));
  for (auto _ : state) {
    const Result<model::Matrix> a = store::parse_matrix(base, "base");
    const Result<model::Matrix> b = store::parse_matrix(head, "head");
    if (!a || !b) {
      state.SkipWithError("a matrix of ours was not read");
      break;
    }
    benchmark::DoNotOptimize(compared(*a, *b));
  }
}

BENCHMARK(compare_and_print)
    ->ArgName("changed_every")
    ->Arg(1)
    ->Arg(6)
    ->Arg(100)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(read_compare_and_print)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace kilter

BENCHMARK_MAIN();
