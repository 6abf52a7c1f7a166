#include "monitor/registry.h"

#include "base/quantity.h"
#include "monitor/all.h"
#include "os/reread.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

namespace kilter::monitor {
namespace {

// clang-format off
const Monitor kMonitors[] = {
  // name           style             interval gzip  sources                  writer         parser             summary
  {"buddyinfo",     Style::loop,      1,  true,  buddyinfo_sources,     nullptr,       parse_buddyinfo,    "free blocks by zone and order"},
  {"cpuidle",       Style::start_end, 0,  false, cpuidle_sources,       nullptr,       parse_cpuidle,      "time in and entries of idle states"},
  {"diskstats",     Style::loop,      1,  true,  diskstats_sources,     nullptr,       parse_diskstats,    "block device counters"},
  {"interrupts",    Style::start_end, 0,  true,  interrupts_sources,    nullptr,       parse_interrupts,   "interrupts by line and CPU"},
  {"iostat",        Style::external,  1,  true,  nullptr,               nullptr,       parse_iostat,       "device utilisation, by sysstat"},
  {"kmsg",          Style::follow,    1,  false, kmsg_sources,          kmsg_writer,   parse_kmsg,         "kernel messages of the run"},
  {"meminfo",       Style::loop,      1,  true,  meminfo_sources,       nullptr,       parse_meminfo,      "memory use"},
  {"mpstat",        Style::loop,      1,  false, mpstat_sources,        mpstat_writer, parse_mpstat,       "CPU time by kind, in percent"},
  {"numa-meminfo",  Style::loop,      1,  true,  numa_meminfo_sources,  nullptr,       parse_numa_meminfo, "memory use by NUMA node"},
  {"numa-numastat", Style::loop,      1,  true,  numa_numastat_sources, nullptr,       parse_counters,     "NUMA allocation counters"},
  {"numa-vmstat",   Style::loop,      1,  true,  numa_vmstat_sources,   nullptr,       parse_counters,     "virtual memory counters by NUMA node"},
  {"pagetypeinfo",  Style::loop,      1,  true,  pagetypeinfo_sources,  nullptr,       parse_pagetypeinfo, "free blocks by zone, type and order"},
  {"perf-c2c",      Style::external,  0,  true,  nullptr,               nullptr,       parse_perf_c2c,     "cache lines shared by writers, by perf c2c"},
  {"perf-profile",  Style::external,  0,  true,  nullptr,               nullptr,       parse_perf_profile, "where time goes, by perf record"},
  {"perf-sched",    Style::external,  0,  true,  nullptr,               nullptr,       parse_perf_sched,   "waiting and delay by call chain, by perf sched"},
  {"perf-stat",     Style::external,  0,  true,  nullptr,               nullptr,       parse_perf_stat,    "hardware and software events, by perf stat"},
  {"proc-vmstat",   Style::loop,      1,  true,  proc_vmstat_sources,   nullptr,       parse_counters,     "virtual memory counters"},
  {"sched_debug",   Style::loop,      60, true,  sched_debug_sources,   nullptr,       parse_sched_debug,  "run queues of the scheduler"},
  {"slabinfo",      Style::loop,      1,  false, slabinfo_sources,      nullptr,       parse_slabinfo,     "slab caches"},
  {"softirqs",      Style::start_end, 0,  true,  softirqs_sources,      nullptr,       parse_softirqs,     "soft interrupts by kind and CPU"},
  {"time",          Style::external,  0,  false, nullptr,               nullptr,       parse_time,         "resources used by the workload"},
  {"turbostat",     Style::external,  0,  true,  nullptr,               nullptr,       parse_turbostat,    "frequencies, idle states and power, by turbostat"},
  {"uptime",        Style::end,       0,  false, uptime_sources,        uptime_writer, parse_uptime,       "seconds since boot"},
  {"vmstat",        Style::loop,      1,  false, vmstat_sources,        vmstat_writer, parse_vmstat,       "processes, memory, swap, I/O and CPU, in procps' form"},
};
// clang-format on

}  // namespace

std::span<const Monitor> monitors() {
  return kMonitors;
}

const Monitor* find_monitor(std::string_view name) {
  if (name.ends_with(".time")) name = "time";
  const Monitor* found = std::ranges::find(kMonitors, name, &Monitor::name);
  return found == std::end(kMonitors) ? nullptr : found;
}

Status available(const Monitor& monitor, const os::Root& root) {
  if (monitor.sources == nullptr) return failure("kilter does not record it");
  ASSIGN_OR_RETURN(const std::vector<Source> sources, monitor.sources(root));
  for (const Source& source : sources) {
    const auto kind =
        monitor.style == Style::follow ? os::RereadFile::Kind::messages : os::RereadFile::Kind::whole;
    Result<os::RereadFile> file = os::RereadFile::open(root.at(source.path), kind);
    if (!file) return fail(std::move(file).error());
  }
  return {};
}

Result<double> interval_of(const Monitor& monitor, const Options& options) {
  constexpr double kShortest = 0.01;  // seconds
  const auto option = options.find("interval");
  if (option == options.end() || option->second.empty()) return monitor.interval;
  const std::optional<double> seconds = parse_duration(option->second);
  if (!seconds || *seconds < kShortest)
    return usage_error(fmt::format("interval '{}' is not a time of at least 10ms", option->second));
  return *seconds;
}

}  // namespace kilter::monitor
