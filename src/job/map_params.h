#pragma once

#include "model/unit_job.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// LKP's parameter mapping: what a program gets for what the job says ("50%" of the CPUs, "300s", "4BRD_12G").
namespace kilter::job {

// What the mapping has to know of the machine; 0 = unknown, then texts that need it stay as they are.
struct MachineNumbers {
  int nr_cpu = 0;
  int nr_node = 0;
  std::int64_t memory = 0;  // bytes
};
// nr_cpu, nr_node and memory ("28G") of a job's host section.
[[nodiscard]] MachineNumbers machine_numbers(const model::Node& job);

using Mapped = std::vector<std::pair<std::string, std::string>>;
// One parameter; several for "4BRD_12G" (nr_brd, ramdisk_size). `quoted` texts are mapped too, integers are
// not.
[[nodiscard]] Mapped map_parameter(std::string_view key, std::string_view text,
                                   const MachineNumbers& machine);
// All of `parameters`, in order.
[[nodiscard]] Mapped map_parameters(const std::vector<std::pair<std::string, std::string>>& parameters,
                                    const MachineNumbers& machine);

}  // namespace kilter::job
