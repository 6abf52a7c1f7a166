#pragma once

#include "base/result.h"
#include "model/node.h"

#include <string>
#include <vector>

namespace kilter::job {

// "KEY: VALUE" (YAML) or "key=value" words, in order, as one map. Keys may be dotted and end in '+' or '-'.
[[nodiscard]] Result<model::Node> parse_overrides(const std::vector<std::string>& words);

// Sets what the job has already, wherever it stands: a plain key that is only inside a program's option map
// is set there. Returns the entries that are new to the job.
[[nodiscard]] model::Node apply_overrides(model::Node& job, const model::Node& overrides);
// The new ones at the end, below "#! user overrides".
void append_overrides(model::Node& job, const model::Node& added);

}  // namespace kilter::job
