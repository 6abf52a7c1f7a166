#pragma once

#include "robot/comparison.h"
#include "robot/lab.h"
#include "robot/revisions.h"

#include <string>
#include <vector>

namespace kilter::robot {

// What compare and report ask of a comparison: revisions looked up in the projects, units and directions from
// the suites, those of the user and of projects too. `room` and `revisions` must outlive it.
[[nodiscard]] ComparisonRequest comparison_request(const ReadingRoom& room, const Revisions& revisions,
                                                   const std::vector<std::string>& operands);

}  // namespace kilter::robot
