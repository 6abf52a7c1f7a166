#include "suite/parsers/parsers.h"

#include <algorithm>

namespace kilter::suite {
namespace {

constexpr ParserEntry kParsers[] = {
    {"auto", parse_auto, auto_rules},
    {"catch2", parse_catch2, catch2_rules},
    {"criterion", parse_criterion, criterion_rules},
    {"dbench", parse_dbench},
    {"fio", parse_fio},
    {"go-bench", parse_go_bench, go_bench_rules},
    {"google-benchmark", parse_google_benchmark, google_benchmark_rules},
    {"hackbench", parse_hackbench},
    {"hyperfine", parse_hyperfine, hyperfine_rules},
    {"iperf", parse_iperf},
    {"kbuild", parse_kbuild},
    {"key-value", parse_key_value},
    {"netperf", parse_netperf},
    {"none", parse_none},
    {"perf-bench-futex", parse_perf_bench_futex},
    {"perf-bench-mem", parse_perf_bench_mem},
    {"perf-bench-numa-mem", parse_perf_bench_numa_mem},
    {"perf-bench-sched-messaging", parse_perf_bench_sched_messaging},
    {"perf-bench-sched-pipe", parse_perf_bench_sched_pipe},
    {"perf-bench-syscall", parse_perf_bench_syscall},
    {"perf-stat-csv", parse_perf_stat_csv},
    {"pytest-benchmark", parse_pytest_benchmark, pytest_benchmark_rules},
    {"schbench", parse_schbench},
    {"stress-ng", parse_stress_ng},
    {"sysbench", parse_sysbench},
    {"tbench", parse_dbench},
    {"time", parse_time},
    {"unixbench", parse_unixbench},
    {"will-it-scale", parse_will_it_scale},
};

}  // namespace

std::span<const ParserEntry> parser_table() {
  return kParsers;
}

const ParserEntry* find_parser(std::string_view name) {
  const auto* it = std::ranges::find(kParsers, name, &ParserEntry::name);
  return it == std::end(kParsers) ? nullptr : it;
}

}  // namespace kilter::suite
