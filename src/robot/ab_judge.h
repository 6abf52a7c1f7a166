#pragma once

#include "model/ab.h"
#include "robot/ab_request.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

// What samples of two commands say. Pure.
namespace kilter::robot {

// Fills answer, effect and all that belongs to them from `report.samples`, `delta` and `level` (to which p is
// held).
void judge(model::AbReport& report);

// Samples a side at which a campaign without a fixed number looks; nullopt after the last.
[[nodiscard]] std::optional<std::size_t> next_ab_look(std::size_t samples);
// The level of each such look.
[[nodiscard]] double ab_look_level(double alpha);

// What the reader should know about the samples: two levels, drift, outliers, slow first samples, failures.
// One line each.
[[nodiscard]] std::vector<std::string> ab_notes(const model::AbReport& report);

}  // namespace kilter::robot
