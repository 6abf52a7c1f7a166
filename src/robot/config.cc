#include "robot/config.h"

#include "base/text.h"
#include "job/yaml_node.h"

#include <fmt/core.h>

namespace kilter::robot {
namespace {

constexpr std::uint64_t kLongestConfig = 1 << 20;

Error misplaced(const model::Mark& mark, const std::string& what, const std::string& hint) {
  return {ErrorCode::usage, fmt::format("{}: {}", mark.text(), what), hint};
}

Status read_mirrors(const model::Node& node, Config& config) {
  const std::string form = "mirrors: {https://github.com/: file:///srv/git/}";
  if (!node.is_map())
    return fail(misplaced(node.mark, "reading 'mirrors': it is no map of URL prefixes", form));
  for (const auto& [prefix, target] : node.entries()) {
    if (prefix.empty() || !target.is_scalar() || target.text().empty())
      return fail(
          misplaced(target.mark, fmt::format("reading mirror '{}': it has no URL", printable(prefix)), form));
    config.mirrors.emplace_back(prefix, target.text());
  }
  return {};
}

}  // namespace

std::string Config::mirrored(const std::string& url) const {
  const std::pair<std::string, std::string>* best = nullptr;
  for (const auto& mirror : mirrors)
    if (url.starts_with(mirror.first) && (best == nullptr || mirror.first.size() > best->first.size()))
      best = &mirror;
  return best == nullptr ? url : best->second + url.substr(best->first.size());
}

Result<Config> read_config(const os::Path& home) {
  Config config;
  const os::Path file = home / "config.yaml";
  if (!os::is_there(file)) return config;
  ASSIGN_OR_RETURN(const std::string text, os::read_file(file, kLongestConfig));
  ASSIGN_OR_RETURN(const std::vector<job::YamlDocument> documents, job::parse_yaml(text, file.string()));
  if (documents.empty() || documents.front().root.is_null()) return config;
  const model::Node& root = documents.front().root;
  if (!root.is_map())
    return fail(misplaced(root.mark, "reading the configuration: it is no map", "mirrors:"));
  for (const auto& [key, value] : root.entries()) {
    if (key != "mirrors")
      return fail(misplaced(value.mark,
                            fmt::format("reading the configuration: unknown key '{}'", printable(key)),
                            "known: mirrors"));
    TRY(read_mirrors(value, config));
  }
  return config;
}

}  // namespace kilter::robot
