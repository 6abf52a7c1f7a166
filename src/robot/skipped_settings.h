#pragma once

#include "robot/operands.h"

#include <span>
#include <string>
#include <vector>

namespace kilter::robot {

// One line for each column whose runs bear settings that were not made ("disk: kilter has no such set-up"),
// as the outcome.json of its first readable run says. Columns that say the same share a line.
[[nodiscard]] std::vector<std::string> skipped_settings_notes(std::span<const Cell> columns);

}  // namespace kilter::robot
