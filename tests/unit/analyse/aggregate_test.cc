#include "analyse/aggregate.h"

#include "analyse/matrix.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

using namespace kilter;
using namespace kilter::analyse;
using model::Number;

namespace {

std::string slurp(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

model::SeriesFile file_of(const std::string& name, const std::string& text) {
  model::SeriesFile file{.name = name, .series = {}};
  const nlohmann::ordered_json json = nlohmann::ordered_json::parse(text);
  for (const auto& [key, list] : json.items()) {
    model::Series series{.key = key, .values = {}};
    for (const auto& value : list)
      series.values.push_back(value.is_number_integer() ? Number(value.get<std::int64_t>())
                                                        : Number(value.get<double>()));
    file.series.push_back(series);
  }
  return file;
}

// The metric of `key`, as JSON; "none" when there is none.
std::string metric(const model::Metrics& metrics, const std::string& key) {
  const auto it = std::ranges::find(metrics, key, &model::Metric::key);
  return it == metrics.end() ? "none" : it->value.json();
}

std::string one(const std::string& name, const std::string& key, const std::string& values,
                const AggregateOptions& options = {}) {
  const model::SeriesFile file = file_of(name, "{\"" + key + "\": " + values + "}");
  return metric(aggregate({&file, 1}, options), key);
}

constexpr AggregateOptions kAsLkp{.as_lkp = true};

}  // namespace

TEST_CASE("a whole run aggregates to LKP's stats.json, byte for byte") {
  const std::filesystem::path directory = TESTS_DIR "/golden/analyse/agg";
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    const std::string name = entry.path().stem().string();
    if (entry.path().extension() == ".json" && name != "stats" && name != "matrix")
      paths.push_back(entry.path());
  }
  std::ranges::sort(paths);
  std::vector<model::SeriesFile> files;
  for (const auto& path : paths) files.push_back(file_of(path.stem().string(), slurp(path)));
  CHECK(files.size() == 16);
  CHECK(metrics_json(aggregate(files, kAsLkp)) == slurp(directory / "stats.json"));
}

TEST_CASE("the kinds of counters are told by their keys") {
  CHECK(one("vmstat", "vmstat.system.cs", "[1,2,3,4,10]", kAsLkp) == "4.0");
  CHECK(one("proc-vmstat", "proc-vmstat.pgfault", "[1000,1500,1700]") == "700");
  CHECK(one("numa-vmstat", "numa-vmstat.node0.numa_hit", "[5,9]") == "4");
  CHECK(one("interrupts", "interrupts.NMI:x", "[10,30]") == "20");
  CHECK(one("softirqs", "softirqs.RCU", "[10,30]", kAsLkp) == "20.0");
  CHECK(one("softirqs", "softirqs.RCU", "[10,30]") == "20");
  CHECK(one("time", "time.user_time", "[1.5,2.5]") == "4.0");
  CHECK(one("a.time", "a.time.user_time", "[1.5,2.5]", kAsLkp) == "2.0");
  CHECK(one("a.time", "a.time.user_time", "[1.5,2.5]") == "4.0");
  CHECK(one("proc-vmstat", "proc-vmstat.workingset_refault_file", "[100,107]") == "7");
  CHECK(one("proc-vmstat", "proc-vmstat.workingset_refault_file", "[100,107]", kAsLkp) == "103.5");
  CHECK(one("numa-vmstat", "numa-vmstat.node1.workingset_refault_file", "[100,107]") == "7");
  CHECK(one("proc-vmstat", "proc-vmstat.workingset_nodes", "[100,107]") == "103.5");
  CHECK(one("diskstats", "diskstats.discard_ios.sda", "[10,30]") == "20");
}

TEST_CASE("elapsed time has a maximum, and a lone reading of a counter is no difference") {
  const model::SeriesFile file = file_of("time", R"({"time.elapsed_time": [10, 20]})");
  CHECK(metric(aggregate({&file, 1}), "time.elapsed_time") == "15.0");
  CHECK(metric(aggregate({&file, 1}), "time.elapsed_time.max") == "20");
  CHECK(one("interrupts", "interrupts.NMI:x", "[10]") == "none");
  CHECK(one("interrupts", "interrupts.NMI:x", "[10]", kAsLkp) == "10");
}

TEST_CASE("a window of seconds cuts a series, but not the totals of perf-stat") {
  const model::SeriesFile file =
      file_of("vmstat", R"({"vmstat.time": [100,101,102,103], "vmstat.system.cs": [1,2,3,4]})");
  const model::SeriesFile counters = file_of(
      "proc-vmstat", R"({"proc-vmstat.time": [0,1,2,3], "proc-vmstat.pgfault": [1000,1500,1700,1900]})");
  const model::SeriesFile perf =
      file_of("perf-stat", R"({"perf-stat.time": [0,1,2], "perf-stat.ps.x": [0,0,7]})");
  const AggregateOptions window{.part_begin = 1, .part_end = 3};
  CHECK(metric(aggregate({&file, 1}, window), "vmstat.system.cs") == "2.5");
  CHECK(metric(aggregate({&counters, 1}, window), "proc-vmstat.pgfault") == "200");
  CHECK(metric(aggregate({&perf, 1}, window), "perf-stat.ps.x") == "7");
}

TEST_CASE("a mean is over what was recorded; LKP's over the longest series") {
  model::SeriesFile file = file_of("m", R"({"m.time": [1,2,3,4], "m.short": [8,8], "m.late": [0,0,6,6]})");
  CHECK(metric(aggregate({&file, 1}, kAsLkp), "m.short") == "4.0");
  CHECK(metric(aggregate({&file, 1}), "m.short") == "8.0");
  CHECK(metric(aggregate({&file, 1}), "m.late") == "3.0");
  file.series[2].gaps = {0, 1};
  CHECK(metric(aggregate({&file, 1}), "m.late") == "6.0");
}

TEST_CASE("what LKP multiplies by the number of records is divided again") {
  model::SeriesFile file =
      file_of("mpstat", R"({"mpstat.time": [1,2], "mpstat.max_utilization_pct": [0,55.98]})");
  file.series[1].gaps = {0};
  CHECK(metric(aggregate({&file, 1}), "mpstat.max_utilization_pct") == "27.99");
  CHECK(metric(aggregate({&file, 1}, kAsLkp), "mpstat.max_utilization_pct") == "27.99");
}

TEST_CASE("the per-CPU values of sched_debug are in LKP's metrics only") {
  CHECK(one("sched_debug", "sched_debug.cpu.nr_running.17", "[1,2]") == "none");
  CHECK(one("sched_debug", "sched_debug.cpu.nr_running.17", "[1,2]", kAsLkp) == "1.5");
  CHECK(one("sched_debug", "sched_debug.cpu.nr_running.avg", "[1,2]") == "1.5");
}
