#pragma once

#include "model/history.h"

#include <span>
#include <string>

namespace kilter::report {

// A list of histories with every point and run; docs/history.md has the members.
[[nodiscard]] std::string history_json(std::span<const model::MetricHistory> histories);
[[nodiscard]] std::string found_changes_json(const model::FoundChanges& found);

}  // namespace kilter::report
