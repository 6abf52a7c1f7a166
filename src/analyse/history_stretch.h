#pragma once

#include "analyse/history_scale.h"

#include <span>
#include <vector>

// Which builds of a history still say how a metric scatters. Pure.
namespace kilter::analyse {

// The last builds of `builds`: those since the last confirmed change (change_points.h) of their medians.
// Cheap where nothing looks like a change, so that it can be asked of thousands of metrics.
[[nodiscard]] History since_last_change(History builds);

}  // namespace kilter::analyse
