#pragma once

#include "base/result.h"
#include "model/plan.h"
#include "model/unit_job.h"
#include "os/files.h"

#include <vector>

// Where a workload runs and how often at once: a job's `cpus`, `cpu_node_bind`, `mem_node_bind` and
// `nr_instances`.
namespace kilter::robot {

struct Binding {
  std::vector<int> cpus;       // of `cpus: 0-3,8` and the NUMA nodes of `cpu_node_bind: 0`; empty: not bound
  std::vector<int> mem_nodes;  // of `mem_node_bind: 0-1`; empty: not bound
  int instances = 1;           // copies of each command of the body, at once
};

// A CPU or node that is not there is a usage error that names it.
[[nodiscard]] Result<Binding> workload_binding(const model::UnitJob& job, const os::Root& root);
// Daemons and body are bound, the commands of the body multiplied; what a suite binds by itself stays.
void bind_workload(model::Workload& workload, const Binding& binding);
// Those of `cpus` that no command of the workload is bound to: where recorders disturb least. Empty when a
// command is bound to none, or all CPUs are taken.
[[nodiscard]] std::vector<int> left_over_cpus(const model::Workload& workload, std::vector<int> cpus);

}  // namespace kilter::robot
