#pragma once

#include "suite/metric_rule.h"

#include <string_view>
#include <vector>

// Units of what monitors and the `time` record say; never a direction.
namespace kilter::suite {

// Rules on the keys of a monitor (without its prefix); nullptr when `name` is no monitor.
[[nodiscard]] const std::vector<MetricRule>* monitor_rules(std::string_view name);
// Rules on the keys of a time record (without "time.").
[[nodiscard]] const std::vector<MetricRule>& time_rules();

}  // namespace kilter::suite
