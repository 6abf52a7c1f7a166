#pragma once

#include "base/result.h"

#include <string_view>
#include <vector>

namespace kilter {

// CPUs are numbered from 0 to below this.
inline constexpr int kMaxCpus = 8192;

// "0-3,8" -> {0, 1, 2, 3, 8}, ascending, as the kernel writes its CPU lists; what is not one is an error.
[[nodiscard]] Result<std::vector<int>> parse_cpu_list(std::string_view text);

}  // namespace kilter
