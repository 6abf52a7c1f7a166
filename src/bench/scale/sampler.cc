#include "bench/scale/sampler.h"

#include "bench/scale/area.h"

#include <algorithm>
#include <cstdio>
#include <limits>

namespace kilter::bench::scale {
namespace {

constexpr double kFirstCountPatience = 60;  // seconds
constexpr double kFirstCountPoll = 0.002;

}  // namespace

void Sampler::take(Snapshot& into) const {
  into.time = now();
  for (unsigned i = 0; i < plan_.tasks; ++i)
    into.counts[i] = area().slots[i].count.load(std::memory_order_relaxed);
}

void Sampler::print_sample(double elapsed) const {
  std::uint64_t low = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t high = 0;
  std::uint64_t total = 0;
  for (unsigned i = 0; i < plan_.tasks; ++i) {
    const double rate = static_cast<double>(last_.counts[i] - previous_.counts[i]) / elapsed;
    const std::uint64_t whole = static_cast<std::uint64_t>(rate);
    if (plan_.print_tasks) std::printf("%4u -> %lu\n", i, whole);
    low = std::min(low, whole);
    high = std::max(high, whole);
    total += whole;
  }
  std::printf("min:%lu max:%lu total:%lu\n", low, high, total);
}

void Sampler::sample_at(double time) {
  wait_until_(time);
  previous_ = last_;
  take(last_);
  if (plan_.print_samples) print_sample(last_.time - previous_.time);
}

void Sampler::run(double seconds) {
  take(last_);
  const double begin = last_.time;
  // Times of samples are multiples from the start, so that a late one does not delay the rest.
  for (double done = 0; done < seconds;) {
    done = seconds - done < 1.5 ? seconds : done + 1;
    sample_at(begin + done);
  }
}

void Sampler::run_for_ever() {
  take(last_);
  const double begin = last_.time;
  for (double done = 1;; done += 1) sample_at(begin + done);
}

void Sampler::await_first_counts() {
  const double patience = now() + kFirstCountPatience;
  for (unsigned i = 0; i < plan_.tasks; ++i) {
    while (area().slots[i].count.load(std::memory_order_relaxed) == 0) {
      if (now() > patience) {
        char text[96];
        std::snprintf(text, sizeof text, "task %u did not finish one operation in %.0f s", i,
                      kFirstCountPatience);
        report_error(text);
        return;
      }
      wait_until_(now() + kFirstCountPoll);
    }
  }
}

void Sampler::begin_window() {
  window_cpus_ = cpus_.read();
  take(begin_);
  last_ = begin_;
}

Measurement Sampler::end_window() const {
  const CpuTimes cpus = cpus_.read();
  double operations = 0;
  for (unsigned i = 0; i < plan_.tasks; ++i)
    operations += static_cast<double>(last_.counts[i] - begin_.counts[i]);
  return {.rate = operations / (last_.time - begin_.time), .idle_percent = idle_percent(window_cpus_, cpus)};
}

}  // namespace kilter::bench::scale
