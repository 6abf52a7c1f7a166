#include "project/project.h"

#include "base/suggest.h"
#include "base/text.h"
#include "os/near_file.h"

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

Result<Project> load_named(const os::Path& cwd, const std::string& name) {
  const os::Path path = (cwd / name).lexically_normal();
  if (os::is_directory(path)) return load_named(cwd, (os::Path(name) / "project.yaml").string());
  if (os::is_there(path)) return load(path);
  const std::optional<std::string> near = os::near_file(path);
  const os::Path folder = os::Path(name).parent_path();
  return usage_error(
      fmt::format("reading project '{}': no such file", printable(name)),
      near ? fmt::format("did you mean '{}'?", printable((folder / os::Path(*near).filename()).string()))
           : "");
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
  if (is_path(name)) return load_named(cwd, name);
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
