#pragma once

#include "job/map_params.h"
#include "model/unit_job.h"

#include <optional>
#include <string>

namespace kilter::job {

// Why a unit job cannot run on a machine of these numbers, in one line; nullopt when it can. Looks at
// need_cpu (negative: at most), need_memory ("64G"), need_node, and task counts that are 0 after mapping. An
// unknown number (0) hinders nothing.
[[nodiscard]] std::optional<std::string> reason_to_abandon(const model::UnitJob& unit,
                                                           const MachineNumbers& machine);

}  // namespace kilter::job
