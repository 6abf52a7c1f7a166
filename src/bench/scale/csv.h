#pragma once

#include "bench/scale/measure.h"

#include <optional>
#include <string>

// The table of will-it-scale's runtest.py.
namespace kilter::bench::scale {

struct Row {
  unsigned tasks = 0;
  std::optional<Measurement> processes;  // not run: 0 in the table
  std::optional<Measurement> threads;
};

class Table {
 public:
  // The header and the row of 0 tasks, with their newlines.
  [[nodiscard]] static std::string head();
  // One row. `linear` is what perfect scaling from one task would give (the better of both modes), once a row
  // of one task was seen; 0 before.
  [[nodiscard]] std::string row(const Row& row);

 private:
  double one_task_ = 0;
};

}  // namespace kilter::bench::scale
