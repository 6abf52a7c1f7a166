#pragma once

#include "base/result.h"
#include "os/files.h"

#include <string_view>
#include <vector>

// Which CPUs a task may be bound to, from the kernel's topology files (a static binary cannot have hwloc).
namespace kilter::bench {

// The CPUs of one core, or a single hardware thread: numbers as the kernel has them, ascending.
using Place = std::vector<int>;

enum class Granularity { core, hardware_thread };

// "0-3,8" -> {0, 1, 2, 3, 8}; what is not a list of CPUs is an error.
[[nodiscard]] Result<std::vector<int>> parse_cpu_list(std::string_view text);

// The places in hwloc's logical order: package after package, die after die, core after core, each by its
// lowest CPU; the hardware threads of one core stand side by side. CPUs that are offline or not in `allowed`
// are left out. Task i belongs on place i modulo their number. Without topology files every CPU is a core.
[[nodiscard]] std::vector<Place> places(const os::Root& root, const std::vector<int>& allowed,
                                        Granularity granularity);

// The affinity mask of the calling thread.
[[nodiscard]] Result<std::vector<int>> allowed_cpus();
// Binds the calling thread, and what it creates from now on.
[[nodiscard]] Status bind_to(const std::vector<int>& cpus);

}  // namespace kilter::bench
