#pragma once

#include <cstddef>
#include <optional>
#include <span>

// Does a machine get slower (or faster) while it measures? A straight line over time, with a level of its own
// for each thing that is measured. Pure.
namespace kilter::analyse {

struct TimedSample {
  std::size_t group = 0;  // what was measured: samples of one group have one level
  double time = 0;        // any unit
  double value = 0;
};

struct Drift {
  double slope = 0;  // of the value, per unit of time
  double t = 0;      // of the slope
  double df = 0;
};

// By least squares. nullopt with fewer than 8 degrees of freedom, when no group was measured at two times,
// or when a sample is no number. Where all lie on the line exactly, t is infinite.
[[nodiscard]] std::optional<Drift> drift_of(std::span<const TimedSample> samples);
// Worth a correction: |t| above 5. (A change seen wrongly costs more than a drift overlooked: runs are
// interleaved.)
[[nodiscard]] bool is_evident(const Drift& drift);

}  // namespace kilter::analyse
