#pragma once

#include "analyse/change_points.h"
#include "model/history.h"

#include <span>

// What the points of a history tell. Pure.
namespace kilter::analyse {

// Fills levels and changes of `history` from its points, which are in their order, stretch after stretch.
// The interval of a change is that of rec_test() on the commits next to it, one value a commit: runs of one
// build share its layout, so that the commit is the piece of evidence (hierarchy.h).
void judge_history(model::MetricHistory& history);
// The same with the changes of the points' values, where they are known already.
void judge_history(model::MetricHistory& history, const Changes& found);

// The middle of a commit's runs: the median of the medians of its boots. `boots` are the ends of the boots in
// `values`; what is no number is left out. NaN when there is none. Reorders `values`.
[[nodiscard]] double point_value(std::span<double> values, std::span<const std::size_t> boots);

}  // namespace kilter::analyse
