#pragma once

#include "base/result.h"
#include "model/unit_job.h"

namespace kilter::job {

// LKP's jobs may hold shell: `if CONDITION`, `for`, `while`, `until`, `function NAME`, `script NAME`. Kilter
// runs none; only `if role NAME` is more than shell, as all roles are played here. A usage error with the
// place of the first such key.
[[nodiscard]] Status refuse_shell_blocks(const model::UnitJob& unit);

}  // namespace kilter::job
