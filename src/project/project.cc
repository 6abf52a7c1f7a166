#include "project/project.h"

#include "base/suggest.h"
#include "base/text.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

namespace kilter::project {
namespace {

constexpr std::uint64_t kFileLimit = 1 << 20;

Result<Project> load(const os::Path& path) {
  ASSIGN_OR_RETURN(const std::string text, os::read_file(path, kFileLimit));
  return parse_project(text, path);
}

bool is_path(const std::string& name) {
  return name.contains('/') || name.ends_with(".yaml") || name.ends_with(".yml") || name == ".";
}

}  // namespace

std::vector<std::string> project_names(const os::Path& home, const os::Path& cwd) {
  std::set<std::string> names;
  for (const os::Path& folder : {home / "projects", cwd / "projects"})
    for (const os::Path& path : os::list_directory(folder))
      if (path.extension() == ".yaml") names.insert(path.stem().string());
  return {names.begin(), names.end()};
}

Result<Project> find_project(const os::Path& home, const os::Path& cwd, const std::string& name) {
  if (is_path(name)) {
    const os::Path path = (cwd / name).lexically_normal();
    return load(os::is_directory(path) ? path / "project.yaml" : path);
  }
  for (const os::Path& folder : {home / "projects", cwd / "projects"}) {
    const os::Path path = folder / (name + ".yaml");
    if (!name.empty() && os::is_there(path)) return load(path);
  }
  const std::vector<std::string> known = project_names(home, cwd);
  const std::string list = known.empty() ? "" : fmt::format("; there are {}", join(known, ", "));
  return usage_error(
      fmt::format("finding project '{}': no {} and no projects/{}.yaml here", printable(name),
                  (home / "projects" / (printable(name) + ".yaml")).string(), printable(name)),
      fmt::format("write one, or give the path of a project file{}{}", list, or_rather(name, known)));
}

}  // namespace kilter::project
