#include "base/text.h"
#include "suite/parsers/parsers.h"
#include "suite/parsers/scan.h"

#include <array>
#include <utility>

namespace kilter::suite {
namespace {

// "     Total time: 1.234 [sec]", "  0.123400 usecs/op", "  8103727 ops/sec": the number as printed.
std::optional<std::string_view> total_time(std::string_view line) {
  if (!line.contains("Total time:") || !line.contains("[sec]")) return std::nullopt;
  const std::optional<std::string_view> value = word_after(line, "Total time:");
  return value && parse_double(*value) ? value : std::nullopt;
}

std::optional<std::string_view> with_unit(std::string_view line, std::string_view unit) {
  const std::vector<std::string_view> fields = words(line);
  if (fields.size() != 2 || fields[1] != unit || !parse_double(fields[0])) return std::nullopt;
  return fields[0];
}

void add_if(ParsedOutput& parsed, const std::string& key, std::optional<std::string_view> text) {
  if (text) parsed.add(key, std::string(*text));
}

// The summaries of futex requeue, wake and wake-parallel; "[Run 1]: ..." lines are not them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kFutexTimes = {{
    {"Requeued ", "requeued_time_ms"},
    {"Wokeup ", "wokeup_time_ms"},
    {"Avg per-thread latency ", "avg_per_thread_latency_ms"},
}};

void add_deviation(std::string_view line, ParsedOutput& parsed) {
  if (const auto deviation = between(line, "(+-", "%)")) parsed.add("stddev%", std::string(trim(*deviation)));
}

}  // namespace

void parse_perf_bench_futex(const RawOutput& output, ParsedOutput& parsed) {
  for (const std::string_view line : lines(output.text)) {
    if (line.starts_with("Averaged ") && line.contains("operations/sec")) {
      add_if(parsed, "ops/s", word_after(line, "Averaged "));
      add_deviation(line, parsed);
    }
    for (const auto& [start, key] : kFutexTimes) {
      if (!line.starts_with(start) || !line.contains(" ms ")) continue;
      add_if(parsed, std::string(key), word_after(line, " in "));
      add_deviation(line, parsed);
    }
  }
}

void parse_perf_bench_sched_pipe(const RawOutput& output, ParsedOutput& parsed) {
  for (const std::string_view line : lines(output.text))
    add_if(parsed, "ops_per_sec", with_unit(line, "ops/sec"));
}

void parse_perf_bench_sched_messaging(const RawOutput& output, ParsedOutput& parsed) {
  for (const std::string_view line : lines(output.text)) add_if(parsed, "total_time_sec", total_time(line));
}

// "# Executed 10000000 getppid() calls" names what the next three lines are about.
void parse_perf_bench_syscall(const RawOutput& output, ParsedOutput& parsed) {
  std::string call;
  for (const std::string_view line : lines(output.text)) {
    if (line.starts_with("# Executed ") && line.contains("() call")) {
      const std::vector<std::string_view> fields = words(line.substr(0, line.find("()")));
      call = key_part(fields.back()) + ".";
    }
    if (call.empty()) continue;
    add_if(parsed, call + "total_time_sec", total_time(line));
    add_if(parsed, call + "usecs_per_op", with_unit(line, "usecs/op"));
    add_if(parsed, call + "ops_per_sec", with_unit(line, "ops/sec"));
  }
}

// "# Running 'mem/memcpy' benchmark:", "# function 'default' (...)", "  8.245310 GB/sec"
void parse_perf_bench_mem(const RawOutput& output, ParsedOutput& parsed) {
  std::string operation;
  std::string function;
  for (const std::string_view line : lines(output.text)) {
    if (const auto name = between(line, "# Running 'mem/", "'")) operation = key_part(*name);
    if (const auto name = between(line, "# function '", "'")) function = key_part(*name);
    if (operation.empty() || function.empty()) continue;
    for (const std::string_view unit : {"MB", "GB"})
      add_if(parsed, operation + "." + function + "." + std::string(unit) + "_per_sec",
             with_unit(line, std::string(unit) + "/sec"));
  }
}

// " main,     6.801, secs,      NUMA-convergence-latency"
void parse_perf_bench_numa_mem(const RawOutput& output, ParsedOutput& parsed) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 10> kNames = {{
      {"NUMA-convergence-latency", "secs_latency"},
      {"runtime-max/thread", "secs_slowest"},
      {"runtime-min/thread", "secs_fastest"},
      {"runtime-avg/thread", "secs_avg"},
      {"spread-runtime/thread", "max_avg_diff"},
      {"data/thread", "GB_per_thread"},
      {"data-total", "GB_total"},
      {"runtime/byte/thread", "nsecs_byte_thread"},
      {"thread-speed", "GB_sec_thread"},
      {"total-speed", "GB_sec_total"},
  }};
  for (const std::string_view line : lines(output.text)) {
    const std::vector<std::string_view> cells = split(line, ',');
    if (cells.size() != 4 || !parse_double(trim(cells[1]))) continue;
    for (const auto& [printed, key] : kNames)
      if (trim(cells[3]) == printed) parsed.add(std::string(key), std::string(trim(cells[1])));
  }
}

const std::vector<MetricRule>& perf_bench_mem_rules() {
  using enum model::Direction;
  static const std::vector<MetricRule> kRules = {{"*.GB_per_sec", {"GB/s", higher_better, true}},
                                                 {"*.MB_per_sec", {"MB/s", higher_better, true}}};
  return kRules;
}

const std::vector<MetricRule>& perf_bench_numa_mem_rules() {
  using enum model::Direction;
  static const std::vector<MetricRule> kRules = {{"GB_sec_*", {"GB/s", higher_better, true}},
                                                 {"secs_*", {"s", unknown, false}},
                                                 {"GB_*", {"GB", unknown, false}},
                                                 {"max_avg_diff", {"%", unknown, false}},
                                                 {"nsecs_byte_thread", {"ns", lower_better, false}}};
  return kRules;
}

}  // namespace kilter::suite
