#include "suite/metric_tables.h"

#include <map>

namespace kilter::suite {
namespace {

using Rules = std::vector<MetricRule>;

MetricRule measured(const char* pattern, const char* unit) {
  return {pattern, {unit, model::Direction::unknown, false}};
}

// Monitors whose values are counts stand here too: they are no programs with a suite.
std::map<std::string_view, Rules> make_table() {
  std::map<std::string_view, Rules> table = {
      {"boot-time", {measured("*", "s")}},
      {"cpuidle", {measured("*.time", "us")}},
      {"diskstats",
       {measured("*_ticks.*", "ms"), measured("time_in_queue.*", "ms"), measured("*_sectors.*", "sectors")}},
      {"iostat",
       {measured("cpu.*", "%"), measured("*.util", "%"), measured("*await*", "ms"),
        measured("*kB/s", "kB/s")}},
      {"meminfo", {measured("HugePages_*", "pages"), measured("*", "kB")}},
      {"mpstat", {measured("*seconds", "s"), measured("*", "%")}},
      {"numa-meminfo", {measured("*.HugePages_*", "pages"), measured("*", "kB")}},
      {"perf-profile", {measured("*", "%")}},
      {"perf-sched", {measured("*.count.*", ""), measured("*.ms*", "ms")}},
      {"perf-stat",
       {measured("*%", "%"), measured("*.metric.*", ""), measured("*.ipc", "instructions/cycle"),
        measured("*.cpi", "cycles/instruction"), measured("*.MPKI", "misses/1000 instructions"),
        measured("i.cycles-between-cache-misses", "cycles"),
        measured("i.instructions-per-iTLB-miss", "instructions"), measured("i.*", "1/s"),
        measured("ps.*", "1/s")}},
      {"slabinfo", {measured("*_objs", "objects"), measured("*_slabs", "slabs")}},
      {"turbostat",
       {measured("*Watt", "W"), measured("*Tmp", "C"), measured("*MHz", "MHz"), measured("*%*", "%")}},
      {"uptime", {measured("*", "s")}},
      {"vmstat",
       {measured("cpu.*", "%"), measured("memory.*", "kB"), measured("io.*", "kB/s"),
        measured("swap.*", "kB/s"), measured("system.*", "1/s")}},
  };
  for (const char* name :
       {"buddyinfo", "cpufreq-stats", "dmesg", "heartbeat", "interrupts", "kmsg", "last_state",
        "latency_stats", "lock_stat", "numa-numastat", "numa-vmstat", "pagetypeinfo", "perf-c2c", "proc-stat",
        "proc-vmstat", "sched_debug", "softirqs", "stderr"})
    table.emplace(name, Rules{});
  return table;
}

}  // namespace

const Rules* monitor_rules(std::string_view name) {
  static const std::map<std::string_view, Rules> kTable = make_table();
  const auto it = kTable.find(name);
  return it == kTable.end() ? nullptr : &it->second;
}

const Rules& time_rules() {
  static const Rules kRules = {
      measured("elapsed_time*", "s"), measured("user_time", "s"),
      measured("system_time", "s"),   measured("percent_of_cpu_this_job_got", "%"),
      measured("page_size", "B"),     measured("maximum_resident_set_size", "kB"),
  };
  return kRules;
}

}  // namespace kilter::suite
