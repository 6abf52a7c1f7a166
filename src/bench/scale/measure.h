#pragma once

#include "base/result.h"
#include "bench/scale/test.h"
#include "bench/topology.h"

#include <vector>

// Runs one test with one number of tasks. Three generations of processes take part: the driver (the caller)
// watches and cleans up, the runner below it prepares and samples, and the tasks are the runner's children
// or threads. Whichever of them is killed, the others end and no file name is left.
namespace kilter::bench::scale {

struct RunPlan {
  const Test* test = nullptr;
  Mode mode = Mode::process;
  unsigned tasks = 1;
  double warm_up = 5;          // seconds; it goes on until every task has counted once
  double seconds = 10;         // of measuring; 0: for ever
  std::vector<Place> places;   // task i on place i modulo their number; empty: not bound
  bool print_samples = false;  // upstream's lines on stdout, a sample a second
  bool print_tasks = false;    // and each task's
};

struct Measurement {
  double rate = 0;          // operations a second of all tasks together
  double idle_percent = 0;  // of the machine, in the measuring window
};

// Blocks for about warm_up + seconds. An error if a task ends by itself: then there is no result. SIGINT,
// SIGTERM and SIGHUP end it in order; from the first call on this process handles them.
[[nodiscard]] Result<Measurement> measure(const RunPlan& plan);

}  // namespace kilter::bench::scale
