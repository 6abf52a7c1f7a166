#pragma once

#include "base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// An event that the kernel's perf subsystem counts for a program and all its children, from its exec on.
namespace kilter::os {

class PerfEvent {
 public:
  // "instructions", "task-clock", "cycles:u", ... as `perf list` names the generic ones; ":u" counts user
  // space alone, ":k" the kernel alone. An unknown name, and what this machine does not count, are Errors
  // with a hint.
  [[nodiscard]] static Result<PerfEvent> find(std::string_view text);

  // A descriptor that counts for the calling task, from its next exec on; -1 and errno when it cannot be had.
  // Async-signal-safe: it is called between fork and exec.
  [[nodiscard]] int open() const;

 private:
  std::uint32_t type_ = 0;
  std::uint64_t config_ = 0;
  bool user_ = true;
  bool kernel_ = true;
};

// Of such a descriptor, when the task has ended. Scaled up when the counter had to share the hardware.
[[nodiscard]] Result<double> read_perf_count(int fd);
[[nodiscard]] std::vector<std::string> perf_event_names();
// The event counts nanoseconds: "task-clock".
[[nodiscard]] bool is_time_event(std::string_view text);

}  // namespace kilter::os
