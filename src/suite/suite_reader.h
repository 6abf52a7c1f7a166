#pragma once

#include "base/result.h"
#include "suite/suite.h"

#include <string>

namespace kilter::suite {

// Reads a suite file. Unknown keys, wrong shapes and broken templates are errors with file:line:column;
// `name` is the file's stem, which the suite has when it does not say otherwise.
[[nodiscard]] Result<Suite> read_suite(const std::string& text, const std::string& file,
                                       const std::string& name);

}  // namespace kilter::suite
