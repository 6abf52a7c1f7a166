#pragma once

#include "monitor/monitor.h"

// What the files of single monitors give to the table in registry.cc; for that table and for tests.
namespace kilter::monitor {

using Sources = Result<std::vector<Source>>;
using WriterPtr = std::unique_ptr<Writer>;

Sources buddyinfo_sources(const os::Root& root);
void parse_buddyinfo(std::string_view raw, std::string& out);

Sources cpuidle_sources(const os::Root& root);
void parse_cpuidle(std::string_view raw, std::string& out);

Sources diskstats_sources(const os::Root& root);
void parse_diskstats(std::string_view raw, std::string& out);

Sources interrupts_sources(const os::Root& root);
void parse_interrupts(std::string_view raw, std::string& out);
Sources softirqs_sources(const os::Root& root);
void parse_softirqs(std::string_view raw, std::string& out);

Sources kmsg_sources(const os::Root& root);
WriterPtr kmsg_writer(const WriterContext& context);
void parse_kmsg(std::string_view raw, std::string& out);

Sources meminfo_sources(const os::Root& root);
void parse_meminfo(std::string_view raw, std::string& out);
Sources numa_meminfo_sources(const os::Root& root);
void parse_numa_meminfo(std::string_view raw, std::string& out);

Sources mpstat_sources(const os::Root& root);
WriterPtr mpstat_writer(const WriterContext& context);
void parse_mpstat(std::string_view raw, std::string& out);

Sources pagetypeinfo_sources(const os::Root& root);
void parse_pagetypeinfo(std::string_view raw, std::string& out);

Sources proc_vmstat_sources(const os::Root& root);
Sources numa_vmstat_sources(const os::Root& root);
Sources numa_numastat_sources(const os::Root& root);
void parse_counters(std::string_view raw, std::string& out);

Sources sched_debug_sources(const os::Root& root);
void parse_sched_debug(std::string_view raw, std::string& out);

Sources slabinfo_sources(const os::Root& root);
void parse_slabinfo(std::string_view raw, std::string& out);

Sources uptime_sources(const os::Root& root);
WriterPtr uptime_writer(const WriterContext& context);
void parse_uptime(std::string_view raw, std::string& out);

Sources vmstat_sources(const os::Root& root);
WriterPtr vmstat_writer(const WriterContext& context);
void parse_vmstat(std::string_view raw, std::string& out);

void parse_iostat(std::string_view raw, std::string& out);
void parse_perf_c2c(std::string_view raw, std::string& out);
void parse_perf_profile(std::string_view raw, std::string& out);
void parse_perf_sched(std::string_view raw, std::string& out);
void parse_perf_stat(std::string_view raw, std::string& out);
void parse_time(std::string_view raw, std::string& out);
void parse_turbostat(std::string_view raw, std::string& out);

}  // namespace kilter::monitor
