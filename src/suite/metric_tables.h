#pragma once

#include "suite/metric_rule.h"

#include <vector>

namespace kilter::suite {

// Units of what monitors and the `time` record say; patterns on the full key. Never a direction.
[[nodiscard]] const std::vector<MetricRule>& monitor_rules();
// Directions of LKP programs that have no suite file here; patterns on the full key.
[[nodiscard]] const std::vector<MetricRule>& other_program_rules();

}  // namespace kilter::suite
