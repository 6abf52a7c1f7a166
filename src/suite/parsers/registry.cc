#include "suite/parsers/parsers.h"

#include <algorithm>

namespace kilter::suite {
namespace {

constexpr ParserEntry kParsers[] = {
    {"auto", parse_auto, auto_rules},
    {"catch2", parse_catch2, catch2_rules},
    {"coremark", parse_coremark, coremark_rules},
    {"criterion", parse_criterion, criterion_rules},
    {"dbench", parse_dbench, dbench_rules},
    {"fio", parse_fio},
    {"fsmark", parse_fsmark, fsmark_rules},
    {"go-bench", parse_go_bench, go_bench_rules},
    {"google-benchmark", parse_google_benchmark, google_benchmark_rules},
    {"hackbench", parse_hackbench},
    {"hyperfine", parse_hyperfine, hyperfine_rules},
    {"iperf", parse_iperf},
    {"kbuild", parse_kbuild},
    {"kernbench", parse_kernbench, kernbench_rules},
    {"key-value", parse_key_value},
    {"lmbench3", parse_lmbench3, lmbench3_rules},
    {"memtier", parse_memtier, memtier_rules},
    {"netperf", parse_netperf},
    {"none", parse_none},
    {"openssl-speed", parse_openssl_speed, openssl_speed_rules},
    {"perf-bench-futex", parse_perf_bench_futex},
    {"perf-bench-mem", parse_perf_bench_mem, perf_bench_mem_rules},
    {"perf-bench-numa-mem", parse_perf_bench_numa_mem, perf_bench_numa_mem_rules},
    {"perf-bench-sched-messaging", parse_perf_bench_sched_messaging},
    {"perf-bench-sched-pipe", parse_perf_bench_sched_pipe},
    {"perf-bench-syscall", parse_perf_bench_syscall},
    {"perf-stat-csv", parse_perf_stat_csv, perf_stat_csv_rules},
    {"pytest-benchmark", parse_pytest_benchmark, pytest_benchmark_rules},
    {"redis", parse_redis, redis_rules},
    {"schbench", parse_schbench},
    {"stream", parse_stream, stream_rules},
    {"stress-ng", parse_stress_ng},
    {"sysbench", parse_sysbench},
    {"tbench", parse_dbench},
    {"tcrypt", parse_tcrypt, tcrypt_rules},
    {"time", parse_time},
    {"unixbench", parse_unixbench},
    {"uperf", parse_uperf, uperf_rules},
    {"vm-scalability", parse_vm_scalability, vm_scalability_rules},
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
