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

}  // namespace kilter::robot
