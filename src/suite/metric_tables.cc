#include "suite/metric_tables.h"

namespace kilter::suite {
namespace {

MetricRule measured(const char* pattern, const char* unit) {
  return {pattern, {unit, model::Direction::unknown, false}};
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

}  // namespace kilter::suite
