#include "os/near_file.h"

#include "base/text.h"

#include <fmt/core.h>

namespace kilter::os {

std::optional<std::string> near_file(const Path& path) {
  const Path folder = path.parent_path();
  std::vector<std::string> names;
  for (const Path& other : list_directory(folder.empty() ? Path(".") : folder))
    names.push_back(other.filename().string());
  const std::optional<std::string> name = nearest(path.filename().string(), names);
  return name ? std::optional((folder / *name).string()) : std::nullopt;
}

std::string near_file_hint(const Path& path) {
  const std::optional<std::string> near = near_file(path);
  return near ? fmt::format("did you mean '{}'?", printable(*near)) : "";
}

}  // namespace kilter::os
