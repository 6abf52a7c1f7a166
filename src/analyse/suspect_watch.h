#pragma once

#include "analyse/change_tiers.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

// The suspect tier of a series that grows: a point costs about a microsecond. Scale and penalty are estimated
// anew at the latest after 64 points, from the last 512. The rolling medians of the newest three points still
// change: these points are tried at each append() and taken back at the next. Pure.
namespace kilter::analyse {

inline constexpr std::size_t kWatchedPoints = 512;

class SuspectWatch {
 public:
  // `values`: the series so far, of which the end is looked at; `length` as in tier_penalty().
  void restart(std::span<const double> values, std::size_t length);
  // False when it is time to restart(): the point was not taken.
  [[nodiscard]] bool append(double value);
  // How many points the last level has, its begin included; nullopt when nothing changed in sight.
  [[nodiscard]] std::optional<std::size_t> age() const;

 private:
  void take(std::size_t at);  // into the partition
  void try_newest();

  Standardised series_;
  Pelt fit_{0};
  Pelt::Mark settled_;
  std::size_t restart_at_ = 0;  // size of the series
};

}  // namespace kilter::analyse
