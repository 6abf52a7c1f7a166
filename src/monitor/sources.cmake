set(SOURCES
  buddyinfo.cc counters.cc cpuidle.cc diskstats.cc error_id.cc gzip.cc iostat.cc irqs.cc kmsg.cc meminfo.cc
  monitor.cc mpstat.cc pagetypeinfo.cc parse.cc perf_c2c.cc perf_profile.cc perf_sched.cc perf_stat.cc proc_stat.cc recording.cc registry.cc sample_log.cc sampler.cc
  sampler_json.cc sched_debug.cc slabinfo.cc time.cc turbostat.cc uptime.cc vmstat.cc)
