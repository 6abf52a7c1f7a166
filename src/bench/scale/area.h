#pragma once

#include "base/result.h"
#include "bench/scale/test.h"

#include <atomic>
#include <cstdint>
#include <string>

// The memory that driver, runner and tasks share: the counters, the names of files to be removed, the
// result. It is anonymous, so no file system writes it back while it is measured.
namespace kilter::bench::scale {

// Counters stand 256 bytes apart: no two tasks share a cache line, whatever its size.
struct alignas(256) Slot {
  std::atomic<std::uint64_t> count;
};

// A name that exists in a file system, or may exist in a moment.
struct Name {
  enum class Kind : unsigned char { none, file, directory };
  std::atomic<Kind> kind;
  bool in_shared_memory;  // below /dev/shm, else below the work directory
  char suffix[6];
};

struct Report {
  std::atomic_flag claimed;  // the first error wins
  char error[512];
  bool measured;
  double rate;          // operations a second of all tasks
  double idle_percent;  // of the machine, over the measuring window
};

struct Area {
  Report report;
  Name names[2 * kMaxTasks];  // one a task for prepare(), then one a task for its private file
  Slot slots[kMaxTasks];
};

// Maps a fresh, zeroed area for the run to come and makes it the one `area()` answers.
[[nodiscard]] Status map_area();
[[nodiscard]] Area& area();
void unmap_area();

// Keeps the first error of a run for the driver to tell. Safe from any task.
void report_error(const char* text);

}  // namespace kilter::bench::scale
