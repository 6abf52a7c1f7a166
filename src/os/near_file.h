#pragma once

#include "os/files.h"

#include <optional>
#include <string>

namespace kilter::os {

// A file that is there, for one that is not: as `path`, with the name of the file in its directory that it is
// likely a slip of.
[[nodiscard]] std::optional<std::string> near_file(const Path& path);
// "did you mean 'x.yaml'?", or "" when there is none.
[[nodiscard]] std::string near_file_hint(const Path& path);

}  // namespace kilter::os
