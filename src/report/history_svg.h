#pragma once

#include "model/history.h"

#include <span>
#include <string>

namespace kilter::report {

// Histories as a picture, one above the other: runs, points, levels with the band of nine of ten points,
// changes with letter and effect, gaps where machines are unlike. A point under the mouse tells its commit.
// Foreign text is escaped. Of very many points those are drawn that can be told apart.
[[nodiscard]] std::string history_svg(std::span<const model::MetricHistory> histories);

}  // namespace kilter::report
