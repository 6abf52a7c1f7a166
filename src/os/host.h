#pragma once

#include <string>

// Who this process is.
namespace kilter::os {

[[nodiscard]] std::string host_name();
[[nodiscard]] int process_id();

}  // namespace kilter::os
