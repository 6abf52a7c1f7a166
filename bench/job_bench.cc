#include "base/assets.h"
#include "job/expand.h"

#include <benchmark/benchmark.h>

#include <fstream>
#include <sstream>

// What `kilter split-job jobs/netperf.yaml` does besides starting and writing files.
namespace {

std::optional<std::string> read_golden(const std::string& path) {
  const std::string name = path == "hosts/tbox" ? "hosts-tbox.yaml" : path.substr(path.rfind('/') + 1);
  std::ifstream in(GOLDEN_JOBS "/" + name, std::ios::binary);
  if (!in) return std::nullopt;
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

void expand_job(benchmark::State& state, const char* path) {
  std::size_t units = 0;
  for ([[maybe_unused]] const auto& round : state) {
    const kilter::Result<std::vector<kilter::model::UnitJob>> expanded =
        kilter::job::expand(path, read_golden, {.testbox = "tbox"});
    if (!expanded) return state.SkipWithError(expanded.error().message.c_str());
    units = expanded->size();
  }
  state.counters["unit_jobs"] = static_cast<double>(units);
}

BENCHMARK_CAPTURE(expand_job, netperf, "jobs/netperf.yaml")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(expand_job, stress_ng, "jobs/stress-ng-scheduler.yaml")->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
