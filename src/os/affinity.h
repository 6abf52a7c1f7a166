#pragma once

#include "base/result.h"

#include <vector>

// Where the calling thread may run.
namespace kilter::os {

// Its affinity mask, ascending.
[[nodiscard]] Result<std::vector<int>> allowed_cpus();
// Binds it, and what it creates from now on.
[[nodiscard]] Status bind_to(const std::vector<int>& cpus);

}  // namespace kilter::os
