#pragma once

#include "os/files.h"

#include <vector>

// Which CPUs a task may be bound to, from the kernel's topology files (a static binary cannot have hwloc).
namespace kilter::bench {

// The CPUs of one core, or a single hardware thread: numbers as the kernel has them, ascending.
using Place = std::vector<int>;

enum class Granularity { core, hardware_thread };

// The places in hwloc's logical order: package after package, die after die, core after core, each by its
// lowest CPU; the hardware threads of one core stand side by side. CPUs that are offline or not in `allowed`
// are left out. Task i belongs on place i modulo their number. Without topology files every CPU is a core.
[[nodiscard]] std::vector<Place> places(const os::Root& root, const std::vector<int>& allowed,
                                        Granularity granularity);

}  // namespace kilter::bench
