#pragma once

#include "model/number.h"

#include <optional>
#include <set>
#include <string>
#include <string_view>

// What the lists in lists/*.txt say of a metric key. Each list is read once, on first use.
namespace kilter::analyse {

// Programs that are benchmarks although no list names them: the testcases of the runs compared, and the
// suites of users and projects. What the lists say of a program goes before this.
using Benchmarks = std::set<std::string, std::less<>>;

// "perf-stat.i.ipc" -> "perf-stat": the program or monitor.
[[nodiscard]] std::string_view base_of(std::string_view key);

// Its row counts failing runs (dmesg.*, *.fail, *.pass): LKP's function stat.
[[nodiscard]] bool is_function_stat(std::string_view key);
// dmesg, kmsg, last_state, stderr: never needs a counterpart.
[[nodiscard]] bool is_log_stat(std::string_view key);
// May not make a row of a report: denied, not allowed after all, and not a reported monitor.
[[nodiscard]] bool is_hidden(std::string_view key);
// May be bisected: not denied, or allowed after all.
[[nodiscard]] bool is_bisectable(std::string_view key);
// A change of 1 % may matter, where other keys need 5 %.
[[nodiscard]] bool is_perf_metric(std::string_view key, const Benchmarks& more = {});
// The smallest largest sample worth a row, of the first rule for the key. LKP's rules for `<test>.time.*` do
// not match `time.*`, which has the same values; here they hold for both unless `as_lkp`.
[[nodiscard]] std::optional<model::Number> metric_threshold(std::string_view key, bool as_lkp = false);

// `base` is a benchmark (a suite of ours or a known foreign one), not a monitor.
[[nodiscard]] bool is_test_program(std::string_view base, const Benchmarks& more = {});
// A benchmark's own number that may serve as its key figure.
[[nodiscard]] bool is_kpi_stat(std::string_view key, const Benchmarks& more = {});

// Positive: more is better; negative: less is; nullopt: unknown. Latencies weigh less than 1.
[[nodiscard]] std::optional<double> throughput_weight(std::string_view key);
[[nodiscard]] std::optional<double> latency_weight(std::string_view key);

}  // namespace kilter::analyse
