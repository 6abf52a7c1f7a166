#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

// How much of the machine was idle between two moments, from /proc/stat.
namespace kilter::bench {

// Clock ticks of all CPUs since boot. Time of guests is within user and nice already and counts once.
struct CpuTimes {
  std::uint64_t idle = 0;  // idle and waiting for input or output
  std::uint64_t busy = 0;
};

// Reads the line "cpu  user nice system idle iowait irq softirq steal ..."; nullopt for any other.
[[nodiscard]] std::optional<CpuTimes> parse_cpu_times(std::string_view line);
// 100 = all CPUs idle all the time; 0 if no tick has passed.
[[nodiscard]] double idle_percent(const CpuTimes& begin, const CpuTimes& end);

// /proc/stat kept open; reads into a buffer of its own and so never allocates.
class CpuClock {
 public:
  CpuClock();
  CpuClock(const CpuClock&) = delete;
  CpuClock& operator=(const CpuClock&) = delete;
  ~CpuClock();
  // All zero where there is no /proc.
  [[nodiscard]] CpuTimes read() const;

 private:
  int fd_;
};

// Seconds of CLOCK_MONOTONIC.
[[nodiscard]] double now();

}  // namespace kilter::bench
