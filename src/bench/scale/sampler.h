#pragma once

#include "bench/cpu_clock.h"
#include "bench/scale/measure.h"

#include <array>
#include <cstdint>

// Reads the counters. Nothing here allocates: some tests move the heap of the very process it runs in.
namespace kilter::bench::scale {

// All counters at one moment.
struct Snapshot {
  double time = 0;
  std::array<std::uint64_t, kMaxTasks> counts{};
};

class Sampler {
 public:
  // `wait_until(time)` blocks until then, and does not return if a task has ended.
  using Wait = void (*)(double time);
  Sampler(const RunPlan& plan, Wait wait_until) : plan_(plan), wait_until_(wait_until) {}

  // Samples for `seconds`, a line each second and one for what is left.
  void run(double seconds);
  void run_for_ever();
  // Waits until every task has counted: the set-up of a task is never measured.
  void await_first_counts();
  // The window begins now.
  void begin_window();
  // And ends with the last sample.
  [[nodiscard]] Measurement end_window() const;

 private:
  void take(Snapshot& into) const;
  void sample_at(double time);
  void print_sample(double elapsed) const;

  const RunPlan& plan_;
  Wait wait_until_;
  CpuClock cpus_;
  CpuTimes window_cpus_;
  Snapshot begin_;
  Snapshot previous_;
  Snapshot last_;
};

}  // namespace kilter::bench::scale
