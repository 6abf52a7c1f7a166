#pragma once

#include "job/map_params.h"
#include "model/unit_job.h"

#include <optional>
#include <string>
#include <vector>

namespace kilter::job {

// What need_* keys ask of a machine. What is unknown (0, empty, nullopt) hinders nothing.
struct MachineFacts {
  MachineNumbers numbers;
  std::string kernel;                  // uname -r
  std::string cpu_model;               // brand string and microarchitecture
  std::vector<std::string> cpu_flags;  // as /proc/cpuinfo spells them
  bool is_virtual = false;             // behind a hypervisor
  std::optional<std::string> kconfig;  // text of the kernel's .config
};

// Why a unit job cannot run on a machine, in one line; nullopt when it can. Looks at need_cpu (negative: at
// most), need_memory ("64G"), need_node, need_kernel_version (">= v5.10", "< 6.8"; a bare version is the
// least), need_cpuid (CPU flags), need_cpu_model (a part of the name), need_physical_tbox, need_kconfig
// (`NAME` or `NAME: m`: built in or a module; `NAME: y`: built in), and task counts that are 0 after mapping.
// Options that need_kconfig wants switched off make a kernel fit for measuring and stop nothing.
[[nodiscard]] std::optional<std::string> reason_to_abandon(const model::UnitJob& unit,
                                                           const MachineFacts& machine);
// The needs of `unit` that could not be checked, one line each.
[[nodiscard]] std::vector<std::string> unchecked_needs(const model::UnitJob& unit,
                                                       const MachineFacts& machine);

}  // namespace kilter::job
