#pragma once

#include "base/result.h"
#include "os/files.h"

#include <string>
#include <utility>
#include <vector>

// What the user settles once for a state folder: <home>/config.yaml (docs/configuration.md).
namespace kilter::robot {

struct Config {
  // A URL that begins with `first` is fetched from `second` and the rest.
  std::vector<std::pair<std::string, std::string>> mirrors;

  // The longest prefix decides; a URL that none fits is answered as it is.
  [[nodiscard]] std::string mirrored(const std::string& url) const;
};

// Without a file everything is at its default. A key that is not known is an error with file:line:column.
[[nodiscard]] Result<Config> read_config(const os::Path& home);

}  // namespace kilter::robot
