#pragma once

#include "suite/metric_rule.h"
#include "suite/parse.h"

#include <span>
#include <string_view>
#include <vector>

// The parsers by name; a new one is one function here, one file beside this one, and one line in registry.cc.
namespace kilter::suite {

using ParseFunction = void (*)(const RawOutput& output, ParsedOutput& parsed);

struct ParserEntry {
  std::string_view name;
  ParseFunction parse;
  // What is known of the keys it makes, when the suite file does not say; may be null.
  const std::vector<MetricRule>& (*rules)() = nullptr;
};
[[nodiscard]] std::span<const ParserEntry> parser_table();
[[nodiscard]] const ParserEntry* find_parser(std::string_view name);

// Benchmarks.
void parse_coremark(const RawOutput&, ParsedOutput&);
void parse_dbench(const RawOutput&, ParsedOutput&);  // and tbench
void parse_fio(const RawOutput&, ParsedOutput&);
void parse_fsmark(const RawOutput&, ParsedOutput&);
void parse_hackbench(const RawOutput&, ParsedOutput&);
void parse_iperf(const RawOutput&, ParsedOutput&);
void parse_kbuild(const RawOutput&, ParsedOutput&);
void parse_kernbench(const RawOutput&, ParsedOutput&);
void parse_lmbench3(const RawOutput&, ParsedOutput&);
void parse_memtier(const RawOutput&, ParsedOutput&);
void parse_netperf(const RawOutput&, ParsedOutput&);
void parse_openssl_speed(const RawOutput&, ParsedOutput&);
void parse_perf_bench_futex(const RawOutput&, ParsedOutput&);
void parse_perf_bench_mem(const RawOutput&, ParsedOutput&);
void parse_perf_bench_numa_mem(const RawOutput&, ParsedOutput&);
void parse_perf_bench_sched_messaging(const RawOutput&, ParsedOutput&);
void parse_perf_bench_sched_pipe(const RawOutput&, ParsedOutput&);
void parse_perf_bench_syscall(const RawOutput&, ParsedOutput&);
void parse_redis(const RawOutput&, ParsedOutput&);
void parse_schbench(const RawOutput&, ParsedOutput&);
void parse_stream(const RawOutput&, ParsedOutput&);
void parse_stress_ng(const RawOutput&, ParsedOutput&);
void parse_sysbench(const RawOutput&, ParsedOutput&);
void parse_tcrypt(const RawOutput&, ParsedOutput&);
void parse_time(const RawOutput&, ParsedOutput&);  // GNU time -v
void parse_unixbench(const RawOutput&, ParsedOutput&);
void parse_uperf(const RawOutput&, ParsedOutput&);
void parse_vm_scalability(const RawOutput&, ParsedOutput&);
void parse_will_it_scale(const RawOutput&, ParsedOutput&);

// What is known of the keys of programs that have no suite file here.
const std::vector<MetricRule>& coremark_rules();
const std::vector<MetricRule>& dbench_rules();
const std::vector<MetricRule>& fsmark_rules();
const std::vector<MetricRule>& kernbench_rules();
const std::vector<MetricRule>& lmbench3_rules();
const std::vector<MetricRule>& memtier_rules();
const std::vector<MetricRule>& openssl_speed_rules();
const std::vector<MetricRule>& perf_bench_mem_rules();
const std::vector<MetricRule>& perf_bench_numa_mem_rules();
const std::vector<MetricRule>& redis_rules();
const std::vector<MetricRule>& stream_rules();
const std::vector<MetricRule>& tcrypt_rules();
const std::vector<MetricRule>& uperf_rules();
const std::vector<MetricRule>& vm_scalability_rules();

// Adapters: the result formats of benchmark libraries and tools.
void parse_catch2(const RawOutput&, ParsedOutput&);
void parse_criterion(const RawOutput&, ParsedOutput&);
void parse_go_bench(const RawOutput&, ParsedOutput&);
void parse_google_benchmark(const RawOutput&, ParsedOutput&);
void parse_hyperfine(const RawOutput&, ParsedOutput&);
void parse_key_value(const RawOutput&, ParsedOutput&);
void parse_none(const RawOutput&, ParsedOutput&);
void parse_perf_stat_csv(const RawOutput&, ParsedOutput&);
void parse_pytest_benchmark(const RawOutput&, ParsedOutput&);
void parse_auto(const RawOutput&, ParsedOutput&);  // the first adapter that finds something

const std::vector<MetricRule>& catch2_rules();
const std::vector<MetricRule>& criterion_rules();
const std::vector<MetricRule>& go_bench_rules();
const std::vector<MetricRule>& google_benchmark_rules();
const std::vector<MetricRule>& hyperfine_rules();
const std::vector<MetricRule>& perf_stat_csv_rules();
const std::vector<MetricRule>& pytest_benchmark_rules();
const std::vector<MetricRule>& auto_rules();

// Rules given as data: the part of the parser's name after "regex:\n" or "json:\n".
[[nodiscard]] Result<ParsedOutput> parse_by_regex(std::string_view rules, const RawOutput& output);
[[nodiscard]] Result<ParsedOutput> parse_by_json_path(std::string_view rules, const RawOutput& output);

}  // namespace kilter::suite
