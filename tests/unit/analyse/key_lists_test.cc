#include "analyse/key_lists.h"

#include <doctest/doctest.h>

namespace kilter::analyse {
namespace {

TEST_CASE("failures are told from measurements") {
  for (const char* key :
       {"dmesg.WARNING:at_x", "kmsg.x", "last_state.exit_fail", "stderr.x", "x.fail", "x.error", "x.warning",
        "x.y.pass", "xfstests.generic.001.seconds.fail", "x.killed_by_OOM"})
    CHECK_MESSAGE(is_function_stat(key), key);
  for (const char* key :
       {"dmesg.timestamp:last", "dmesg.bootstage:x", "dmesg.time.x", "x.fail_rate", "vmstat.cpu.us",
        "perf-profile.children.cycles-pp.error_entry", "x.passed", "proc-vmstat.compact_fail"})
    CHECK_MESSAGE(!is_function_stat(key), key);
}

TEST_CASE("performance metrics are those of benchmarks and of some monitors") {
  for (const char* key :
       {"vmstat.system.cs", "stress-ng.sem.ops", "will-it-scale.time.user_time", "proc-vmstat.pgfault",
        "perf-stat.i.ipc", "uptime.boot", "time.elapsed_time", "sched_debug.rt_rq:.rt_time.avg"})
    CHECK_MESSAGE(is_perf_metric(key), key);
  for (const char* key :
       {"meminfo.Mapped", "mpstat.cpu.all.usr%", "perf-sched.wait_time.avg.ms.x", "numa-vmstat.node0.x",
        "cpuidle..usage", "sched_debug.cpu.nr_switches.avg", "kselftests.x"})
    CHECK_MESSAGE(!is_perf_metric(key), key);
}

TEST_CASE("monitors that are reported are not hidden, and cannot be bisected") {
  CHECK(is_hidden("softirqs.CPU1.RCU"));
  CHECK(is_hidden("dmesg.boot_failures"));
  CHECK_FALSE(is_hidden("dmesg.WARNING:at_x"));
  CHECK_FALSE(is_hidden("meminfo.Mapped"));
  CHECK_FALSE(is_bisectable("meminfo.Mapped"));
  CHECK(is_bisectable("netperf.Throughput_tps"));
  CHECK(is_bisectable("perf-sched.total_wait_time.average.ms"));
}

TEST_CASE("the first threshold of a key decides") {
  CHECK(metric_threshold("vmstat.system.cs") == model::Number(100));
  CHECK(metric_threshold("proc-vmstat.nr_dirty") == model::Number(100));
  CHECK(metric_threshold("perf-profile.children.cycles-pp.native_queued_spin_lock_slowpath") ==
        model::Number(1));
  CHECK(metric_threshold("netperf.time.user_time") == model::Number(10));
  CHECK_FALSE(metric_threshold("perf-stat.i.ipc"));
  CHECK(metric_threshold("time.user_time") == model::Number(10));
  CHECK_FALSE(metric_threshold("time.user_time", true));
}

TEST_CASE("key figures are a benchmark's own numbers") {
  CHECK(is_kpi_stat("netperf.Throughput_tps"));
  CHECK_FALSE(is_kpi_stat("netperf.time.user_time"));
  CHECK_FALSE(is_kpi_stat("vmstat.system.cs"));
  CHECK_FALSE(is_kpi_stat("vm-scalability.stddev"));
  CHECK_FALSE(is_kpi_stat("netperf"));
  CHECK(is_test_program("will-it-scale"));
  CHECK_FALSE(is_test_program("vmstat"));
}

TEST_CASE("programs may be named benchmarks, but what a list says of one stays") {
  CHECK_FALSE(is_perf_metric("toy.rate"));
  CHECK(is_perf_metric("toy.rate", {"toy"}));
  CHECK(is_kpi_stat("toy.rate", {"toy"}));
  CHECK(is_test_program("toy", {"toy"}));
  CHECK_FALSE(is_perf_metric("kselftests.x", {"kselftests"}));
}

TEST_CASE("hostile keys are keys like others") {
  for (const std::string& key : {std::string(), std::string("."), std::string(100000, '.'),
                                 std::string(5000, 'a') + ".fail", std::string("\0\xff\n", 3)}) {
    CHECK_NOTHROW(static_cast<void>(is_function_stat(key)));
    CHECK_NOTHROW(static_cast<void>(is_hidden(key)));
    CHECK_NOTHROW(static_cast<void>(is_perf_metric(key)));
    CHECK_NOTHROW(static_cast<void>(metric_threshold(key)));
  }
}

}  // namespace
}  // namespace kilter::analyse
