#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace kilter::monitor {

// Clock ticks of one "cpu" line of /proc/stat since boot.
struct CpuTicks {
  std::string_view name;  // "cpu", "cpu0"; a view of the text
  // user nice system idle iowait irq softirq steal guest guest_nice; older kernels lack the last ones: 0
  std::int64_t ticks[10] = {};
};
enum CpuField { kUser, kNice, kSystem, kIdle, kIowait, kIrq, kSoftirq, kSteal, kGuest, kGuestNice };

struct ProcStat {
  std::vector<CpuTicks> cpus;  // the first is the sum
  std::int64_t interrupts = 0;
  std::int64_t switches = 0;
  std::int64_t running = 0;
  std::int64_t blocked = 0;
};
[[nodiscard]] ProcStat read_proc_stat(std::string_view text);

// The number after `key` in lines "key value ..." ("MemFree:", "pswpin"); 0 when there is none.
[[nodiscard]] std::int64_t value_of(std::string_view text, std::string_view key);

}  // namespace kilter::monitor
