#pragma once

#include "model/node.h"
#include "model/plan.h"
#include "model/unit_job.h"
#include "os/files.h"

#include <string>
#include <vector>

// A job's set-up keys (cpufreq_governor, sysctl, drop_caches, ...) as steps of the plan.
namespace kilter::robot {

struct SetupKey {
  std::string name;
  std::string summary;  // for the documentation and `kilter doctor`
  std::vector<model::Step> (*steps)(const model::Node& value, const os::Root& root);
};

// The registry: a new set-up key is one function and one line.
[[nodiscard]] const std::vector<SetupKey>& setup_keys();
// The steps of all set-up keys of `job`, in job order.
[[nodiscard]] std::vector<model::Step> setup_steps(const model::UnitJob& job, const os::Root& root);
// CPUs the workload is bound to by the job's `cpus: 0-3,8`; empty: not bound.
[[nodiscard]] std::vector<int> workload_cpus(const model::UnitJob& job);
// "0-3,8" -> {0,1,2,3,8}; what is not of that form is dropped.
[[nodiscard]] std::vector<int> parse_cpu_list(std::string_view text);

}  // namespace kilter::robot
