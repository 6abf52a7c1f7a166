#include "bench/cpu_clock.h"

#include <array>
#include <charconv>
#include <ctime>
#include <fcntl.h>
#include <unistd.h>

namespace kilter::bench {

std::optional<CpuTimes> parse_cpu_times(std::string_view line) {
  if (!line.starts_with("cpu ")) return std::nullopt;
  std::array<std::uint64_t, 8> field{};  // user nice system idle iowait irq softirq steal
  const char* at = line.data() + 4;
  const char* const end = line.data() + line.size();
  std::size_t count = 0;
  for (; count < field.size(); ++count) {
    while (at != end && *at == ' ') ++at;
    const auto [next, error] = std::from_chars(at, end, field[count]);
    if (error != std::errc()) break;
    at = next;
  }
  if (count < 4) return std::nullopt;
  return CpuTimes{.idle = field[3] + field[4],
                  .busy = field[0] + field[1] + field[2] + field[5] + field[6] + field[7]};
}

double idle_percent(const CpuTimes& begin, const CpuTimes& end) {
  // The kernel's idle counters may step back by a tick.
  const std::uint64_t idle = end.idle > begin.idle ? end.idle - begin.idle : 0;
  const std::uint64_t busy = end.busy > begin.busy ? end.busy - begin.busy : 0;
  return idle + busy == 0 ? 0 : 100.0 * static_cast<double>(idle) / static_cast<double>(idle + busy);
}

CpuClock::CpuClock() : fd_(::open("/proc/stat", O_RDONLY | O_CLOEXEC)) {}

CpuClock::~CpuClock() {
  if (fd_ >= 0) ::close(fd_);
}

CpuTimes CpuClock::read() const {
  std::array<char, 512> buffer{};
  const ssize_t size = ::pread(fd_, buffer.data(), buffer.size(), 0);
  if (size <= 0) return {};
  return parse_cpu_times({buffer.data(), static_cast<std::size_t>(size)}).value_or(CpuTimes{});
}

double now() {
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

}  // namespace kilter::bench
