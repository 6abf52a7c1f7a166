#pragma once

#include "model/machine.h"
#include "os/files.h"
#include "os/process.h"

#include <string_view>

// This test box as model::Machine, read from /proc and /sys.
namespace kilter::execute {

// Never fails for a missing file: what a machine does not tell stays empty (a container without /sys, another
// architecture). An error only when there is no /proc at all.
// `compiler` is the target of /usr/bin/gcc ("gcc-12") or, where that is no versioned link, what `gcc
// -dumpversion` says through `runner`; without a runner that is left out.
[[nodiscard]] Result<model::Machine> describe_machine(const os::Root& root,
                                                      os::ProcessRunner* runner = nullptr);

// The part of it that job files depend on, in a dozen readings whatever the number of CPUs: host, tbox_group,
// arch, microarchitecture, nr_cpu, nr_node, memory_kb.
[[nodiscard]] Result<model::Machine> identify_machine(const os::Root& root);

// "lkp-skl-d01-2" -> "lkp-skl-d01": the class of like boxes that a host name with a trailing "-<digits>" says
// it belongs to.
[[nodiscard]] std::string tbox_group_of_host(std::string_view host);

// "Sapphire Rapids", "Zen 3 (Milan)"; "" when the family and model are not in the table. `vendor` is
// cpuinfo's vendor_id.
[[nodiscard]] std::string_view microarchitecture(std::string_view vendor, int family, int model,
                                                 int stepping);

}  // namespace kilter::execute
