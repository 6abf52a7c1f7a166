#pragma once

#include <sys/time.h>

#include <cstdint>
#include <string>

// Time. Code that waits or stamps takes a Clock&, so that tests need not sleep.
namespace kilter::os {

class Clock {
 public:
  virtual ~Clock() = default;
  // Seconds since 1970, UTC.
  [[nodiscard]] virtual double wall() const = 0;
  // Seconds of CLOCK_MONOTONIC.
  [[nodiscard]] virtual double monotonic() const = 0;
  virtual void sleep_until(double monotonic_seconds) = 0;
};

// The machine's clock; one object for the whole program.
[[nodiscard]] Clock& system_clock();

[[nodiscard]] inline double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

// "2026-11-30 12:14:05" in local time, as LKP prefixes logged commands; and ISO 8601 UTC
// "2026-11-30T12:14:05Z".
[[nodiscard]] std::string local_timestamp(double wall);
[[nodiscard]] std::string utc_timestamp(double wall);

}  // namespace kilter::os
