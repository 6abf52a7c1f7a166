#pragma once

#include "bench/scale/measure.h"
#include "bench/stop_signals.h"

#include <sys/types.h>

#include <csignal>

// The runner: the process that owns the tasks of one run.
namespace kilter::bench::scale {

// The mask before.
sigset_t block_stop_signals();

// In the fresh child of `driver`, with the stop signals blocked: prepares, runs, reports to the shared area,
// ends. It dies with its driver, and its tasks with it.
[[noreturn]] void run_and_exit(const RunPlan& plan, pid_t driver);

}  // namespace kilter::bench::scale
