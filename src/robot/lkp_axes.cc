#include "robot/lkp_axes.h"

#include "base/text.h"
#include "job/parameters.h"
#include "job/programs.h"
#include "job/yaml_node.h"
#include "store/import_scan.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <vector>

namespace kilter::robot {
namespace {

namespace fs = std::filesystem;
using model::Node;
using os::Path;

constexpr std::uint64_t kLongestYaml = 16 << 20;

// Of a run; a sha may have digits alone, too.
std::optional<Node> read_yaml(const Path& file) {
  if (!os::is_file(file)) return std::nullopt;
  const Result<std::string> text = os::read_file(file, kLongestYaml);
  if (!text) return std::nullopt;
  Result<std::vector<job::YamlDocument>> documents = job::parse_yaml(*text, file.string());
  if (!documents || documents->empty()) return std::nullopt;
  return std::move(documents->front().root);
}

// LKP's desc.yaml of a group: ":axes:" with one ":name: value" each.
model::Axes axes_of_description(const Path& file) {
  model::Axes axes;
  const std::optional<Node> root = read_yaml(file);
  if (!root) return axes;
  const Node* found = root->find(":axes") != nullptr ? root->find(":axes") : root->find("axes");
  if (found == nullptr) return axes;
  for (const auto& [name, value] : found->entries())
    if (value.is_scalar()) axes[name.starts_with(':') ? name.substr(1) : name] = value.text();
  return axes;
}

void add_scalars(const Node& map, std::vector<job::Parameter>& parameters) {
  for (const auto& [key, value] : map.entries()) {
    const bool known = std::ranges::find(parameters, key, &job::Parameter::key) != parameters.end();
    if (value.is_scalar() && !known) parameters.push_back({key, value.text(), ""});
  }
}

// The options of a program are parameters whether we know the program or not; so is all that a server put
// below "pp".
std::vector<job::Parameter> parameters_of(const Node& unit) {
  const job::Vocabulary vocabulary(unit);
  std::vector<job::Parameter> parameters = job::parameters_of(unit, vocabulary);
  for (const job::ProgramUse& use : vocabulary.programs()) add_scalars(*use.value, parameters);
  if (const Node* server = unit.find("pp"))
    for (const auto& [program, options] : server->entries()) add_scalars(options, parameters);
  return parameters;
}

LkpIdentity identity_of_job(const Path& file) {
  const std::optional<Node> unit = read_yaml(file);
  if (!unit || !unit->is_map()) return {};
  const std::vector<job::Parameter> parameters = parameters_of(*unit);
  LkpIdentity identity{.axes = job::axes_of(*unit, parameters), .path_params = unit->get("path_params")};
  if (const std::string suite = unit->get("suite"); !suite.empty())
    identity.axes.try_emplace("testcase", suite);
  if (const std::string box = unit->get("tbox_group"); !box.empty()) identity.axes["tbox_group"] = box;
  if (identity.path_params.empty()) identity.path_params = job::path_params(parameters);
  return identity;
}

// The first run that has a job; the runs may begin at any number.
Path first_run_with_job(const Path& group) {
  Path first;
  for (const Path& entry : os::list_directory(group)) {
    const std::string name = entry.filename().string();
    if (!is_run_number(name) || !os::is_file(entry / "job.yaml")) continue;
    if (first.empty() || std::stol(name) < std::stol(first.filename().string())) first = entry;
  }
  return first;
}

LkpIdentity identity_of_files(const Path& group, const Path& run) {
  if (model::Axes axes = axes_of_description(group / "desc.yaml"); !axes.empty())
    return {std::move(axes), ""};
  for (const Path& place : {run, group, first_run_with_job(group)})
    if (LkpIdentity identity = identity_of_job(place / "job.yaml"); !identity.axes.empty()) return identity;
  return {};
}

}  // namespace

LkpIdentity lkp_identity(const Path& directory) {
  std::error_code failed;
  Path run = fs::weakly_canonical(directory, failed);
  if (failed) run = directory;
  const Path group = is_run_number(run.filename().string()) ? run.parent_path() : run;
  const store::Identity path = store::identity_of_path(group / "0").value_or(store::Identity{});
  const LkpIdentity told = identity_of_files(group, run);
  LkpIdentity identity{.axes = path.axes, .path_params = path.path_params};
  for (const auto& [name, value] : told.axes) identity.axes[name] = value;
  const bool silent = told.path_params.empty() || told.path_params == "defaults";
  if (!silent || identity.path_params.empty()) identity.path_params = told.path_params;
  store::add_path_params(identity.axes, identity.path_params);
  const std::string name = group.filename().string();
  if (!identity.axes.contains("commit") && is_full_sha(name)) identity.axes["commit"] = name;
  return identity;
}

bool is_run_number(std::string_view name) {
  constexpr std::size_t kMostDigits = 9;
  return !name.empty() && name.size() <= kMostDigits && leading_digits(name) == name;
}

}  // namespace kilter::robot
