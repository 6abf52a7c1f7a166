#pragma once

#include "project/repository.h"
#include "robot/bisect_evidence.h"
#include "store/store.h"

#include <string>
#include <vector>

namespace kilter::robot {

// The runs of the commits before `good` on its first-parent line, oldest first, since the metric last changed
// there: what other branches and levels did says nothing of how this one scatters. `points` are the series.
[[nodiscard]] Result<BisectHistory> history_before(const project::Repository& repository,
                                                   const std::string& good,
                                                   const std::vector<store::SeriesPoint>& points);

}  // namespace kilter::robot
