#pragma once

#include "suite/metric_rule.h"

#include <vector>

namespace kilter::suite {

// Units of what monitors and the `time` record say; patterns on the full key. Never a direction.
[[nodiscard]] const std::vector<MetricRule>& monitor_rules();

}  // namespace kilter::suite
