#include "os/clock.h"

#include <cmath>
#include <ctime>

namespace kilter::os {
namespace {

double read_clock(clockid_t id) {
  timespec now{};
  ::clock_gettime(id, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

class SystemClock final : public Clock {
 public:
  [[nodiscard]] double wall() const override { return read_clock(CLOCK_REALTIME); }
  [[nodiscard]] double monotonic() const override { return read_clock(CLOCK_MONOTONIC); }
  void sleep_until(double monotonic_seconds) override {
    timespec end{};
    end.tv_sec = static_cast<time_t>(std::floor(monotonic_seconds));
    end.tv_nsec = static_cast<long>((monotonic_seconds - std::floor(monotonic_seconds)) * 1e9);
    ::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, nullptr);
  }
};

std::string format_time(double wall, const char* form, tm* (*convert)(const time_t*, tm*)) {
  const time_t seconds = static_cast<time_t>(std::floor(wall));
  tm parts{};
  convert(&seconds, &parts);
  char text[64];
  return {text, std::strftime(text, sizeof text, form, &parts)};
}

}  // namespace

Clock& system_clock() {
  static SystemClock clock;
  return clock;
}

std::string local_timestamp(double wall) {
  return format_time(wall, "%Y-%m-%d %H:%M:%S", ::localtime_r);
}
std::string utc_timestamp(double wall) {
  return format_time(wall, "%Y-%m-%dT%H:%M:%SZ", ::gmtime_r);
}

}  // namespace kilter::os
