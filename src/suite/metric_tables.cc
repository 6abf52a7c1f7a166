#include "suite/metric_tables.h"

namespace kilter::suite {
namespace {

using enum model::Direction;

MetricRule measured(const char* pattern, const char* unit) {
  return {pattern, {unit, unknown, false}};
}
MetricRule higher(const char* pattern, const char* unit) {
  return {pattern, {unit, higher_better, true}};
}
MetricRule lower(const char* pattern, const char* unit) {
  return {pattern, {unit, lower_better, true}};
}
MetricRule latency(const char* pattern, const char* unit) {
  return {pattern, {unit, lower_better, false}};
}

}  // namespace

const std::vector<MetricRule>& monitor_rules() {
  static const std::vector<MetricRule> kRules = {
      measured("*time.elapsed_time*", "s"),
      measured("*time.user_time", "s"),
      measured("*time.system_time", "s"),
      measured("*time.percent_of_cpu_this_job_got", "%"),
      measured("*time.maximum_resident_set_size", "kB"),
      measured("*time.page_size", "B"),
      measured("vmstat.cpu.*", "%"),
      measured("vmstat.memory.*", "kB"),
      measured("vmstat.io.*", "kB/s"),
      measured("vmstat.swap.*", "kB/s"),
      measured("vmstat.system.*", "1/s"),
      measured("mpstat.*seconds", "s"),
      measured("mpstat.*", "%"),
      measured("meminfo.HugePages_*", "pages"),
      measured("meminfo.*", "kB"),
      measured("numa-meminfo.*HugePages_*", "pages"),
      measured("numa-meminfo.*", "kB"),
      measured("cpuidle.*.time", "us"),
      measured("uptime.*", "s"),
      measured("boot-time.*", "s"),
      measured("diskstats.*_ticks.*", "ms"),
      measured("diskstats.io_ticks.*", "ms"),
      measured("diskstats.*_sectors.*", "sectors"),
      measured("iostat.cpu.*", "%"),
      measured("iostat.*.util", "%"),
      measured("iostat.*await*", "ms"),
      measured("iostat.*kB/s", "kB/s"),
      measured("perf-profile.*", "%"),
      measured("perf-sched.*.ms*", "ms"),
      measured("perf-stat.*%", "%"),
      measured("perf-stat.i.metric.*", ""),
      measured("perf-stat.*ipc", "instructions/cycle"),
      measured("perf-stat.*cpi", "cycles/instruction"),
      measured("perf-stat.*MPKI", "misses/1000 instructions"),
      measured("perf-stat.i.*", "1/s"),
      measured("perf-stat.ps.*", "1/s"),
      measured("turbostat.*Watt", "W"),
      measured("turbostat.*Tmp", "C"),
      measured("turbostat.*MHz", "MHz"),
      measured("turbostat.*%*", "%"),
  };
  return kRules;
}

const std::vector<MetricRule>& other_program_rules() {
  static const std::vector<MetricRule> kRules = {
      lower("adrestia.wakeup_cost_*_us", "us"),
      higher("aim7.jobs-per-min", "jobs/min"),
      higher("aim9.*.ops_per_sec", "ops/s"),
      higher("apachebench.requests_per_second", "requests/s"),
      latency("apachebench.connection_time.*.max", "ms"),
      lower("autonuma-benchmark.*.seconds", "s"),
      higher("blogbench.*_score", ""),
      higher("coremark.iterations_per_sec", "iterations/s"),
      higher("dbench.throughput_MB/s", "MB/s"),
      latency("dbench.max_latency", "ms"),
      lower("dd.*_time_ms", "ms"),
      lower("exit-free.duration", "s"),
      higher("filebench.sum_operations/s", "ops/s"),
      higher("fsmark.files_per_sec", "files/s"),
      lower("fsmark.app_overhead", "us"),
      higher("fxmark.*.works/sec", "works/s"),
      higher("hpcc.HPL_Tflops", "TFLOPS"),
      higher("hpcc.PTRANS_GBs", "GB/s"),
      higher("iozone.average_KBps", "KB/s"),
      lower("kernbench.elapsed_time", "s"),
      higher("linpack.GFlops", "GFLOPS"),
      higher("lmbench3.*.MB/sec", "MB/s"),
      lower("lmbench3.Pagefaults.ms", "ms"),
      latency("lmbench3.*.latency.ns", "ns"),
      latency("lmbench3.*.latency.us", "us"),
      latency("lmbench3.*.latency", ""),
      higher("memtier.*_ops/s", "ops/s"),
      latency("memtier.*_ms", "ms"),
      higher("netpipe.*.avg", ""),
      higher("nuttcp.throughput_Mbps", "Mbit/s"),
      higher("oltp.*/s", ""),
      latency("oltp.latency_*_ms", "ms"),
      higher("openssl-speed.*_per_sec", "ops/s"),
      higher("openssl-speed.*_size_block_Kbps", "KB/s"),
      higher("perf-bench-mem.*.GB_per_sec", "GB/s"),
      higher("perf-bench-mem.*.MB_per_sec", "MB/s"),
      higher("perf-bench-numa-mem.GB_sec_*", "GB/s"),
      higher("pft.faults_per_sec_per_cpu", "faults/s"),
      higher("pgbench.tps", "transactions/s"),
      latency("pgbench.latency_ms", "ms"),
      higher("pmbench.throughput.aps", "accesses/s"),
      latency("pmbench.*latency*ns*", "ns"),
      higher("postmark.transactions", ""),
      higher("qperf.*bw", ""),
      latency("qperf.*latency", ""),
      lower("rcurefscale.*-ref-scale.duration_per_loop.ns", "ns"),
      higher("reaim.jobs_per_min", "jobs/min"),
      higher("redis.*_throughput_rps", "requests/s"),
      lower("rt-app.*.average", ""),
      higher("sockperf.throughput.*.BandWidth_MBps", "MB/s"),
      higher("sockperf.throughput.*.msg_per_sec", "messages/s"),
      latency("sockperf.*.avg-lat", "us"),
      latency("sockperf.*.std-dev", "us"),
      higher("specjbb2015.*-jOPS", "jOPS"),
      higher("stream.*_bandwidth_MBps*", "MB/s"),
      higher("sysbench-fileio.*_operations/s", "ops/s"),
      latency("sysbench-fileio.latency_*_ms", "ms"),
      higher("sysbench-*.throughput_*/s", ""),
      higher("tcrypt.*.encryption", "B/s"),
      higher("tcrypt.*.decryption", "B/s"),
      lower("thrulay.jitter", "ms"),
      lower("thrulay.RTT", "ms"),
      lower("tlbflush.*_ns_time", "ns"),
      lower("tlbflush.*_ms", "ms"),
      higher("uperf.*Kbps", "Kbit/s"),
      higher("uperf.*Mbps", "Mbit/s"),
      higher("uperf.*Gbps", "Gbit/s"),
      higher("vm-scalability.median", "B/s"),
      latency("vm-scalability.stddev*", ""),
      higher("ycsb.*_throughput_ops/s", "ops/s"),
      higher("*.throughput", ""),
  };
  return kRules;
}

}  // namespace kilter::suite
