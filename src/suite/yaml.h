#pragma once

#include "base/result.h"
#include "model/node.h"

#include <string>

namespace kilter::suite {

// One YAML document as a Node with marks in `file`; errors carry file:line:column.
[[nodiscard]] Result<model::Node> read_yaml(const std::string& text, const std::string& file);

}  // namespace kilter::suite
