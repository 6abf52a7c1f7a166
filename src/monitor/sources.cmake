set(SOURCES
  buddyinfo.cc civil_time.cc counters.cc cpuidle.cc diskstats.cc gzip.cc iostat.cc irqs.cc kmsg.cc meminfo.cc
  monitor.cc mpstat.cc pagetypeinfo.cc parse.cc proc_stat.cc recording.cc registry.cc sample_log.cc sampler.cc
  sampler_json.cc sched_debug.cc slabinfo.cc time.cc uptime.cc vmstat.cc)
