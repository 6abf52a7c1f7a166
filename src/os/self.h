#pragma once

#include "base/result.h"
#include "os/fd.h"

#include <cstdint>
#include <vector>

// What a program asks about, and of, itself.
namespace kilter::os {

struct SelfUsage {
  double cpu_seconds = 0;  // user and system, of all threads
  std::int64_t max_rss_kb = 0;
};
[[nodiscard]] SelfUsage self_usage();
// CPU time of the calling thread alone; cheap.
[[nodiscard]] double thread_cpu_seconds();

[[nodiscard]] int page_kb();

// Waits for moments of CLOCK_MONOTONIC, or for an interrupt (os/interrupt.h).
class Alarm {
 public:
  enum class Woke { time, interrupt };
  [[nodiscard]] static Result<Alarm> create();
  [[nodiscard]] Woke wait_until(double monotonic_seconds);

 private:
  explicit Alarm(Fd fd) : timer_(std::move(fd)) {}
  Fd timer_;
};

}  // namespace kilter::os
