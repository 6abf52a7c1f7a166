#include "job/parameters.h"

#include "base/utf8.h"
#include "job/matrix.h"
#include "job/merge.h"

#include <algorithm>
#include <cctype>

namespace kilter::job {
namespace {

using model::Node;

constexpr std::size_t kMaxValue = 31;

bool is_dimension(std::string_view key) {
  return std::ranges::find(expand_dimensions(), key) != expand_dimensions().end();
}

void collect(const Node& map, const Vocabulary& vocabulary, const std::string& program,
             std::vector<Parameter>& found) {
  for (const auto& [key, value] : map.entries()) {
    if (is_comment_key(key) || vocabulary.is_monitor(key)) continue;
    if (value.is_map()) {
      collect(value, vocabulary, vocabulary.is_program(key) ? key : program, found);
    } else if (value.is_scalar() && !is_dimension(key) && is_expandable(key, vocabulary)) {
      found.push_back({key, value.text(), program});
    }
  }
}

bool allowed(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || std::string_view("-+=:.%").contains(c);
}

// Characters, not bytes: each odd one becomes one '_'.
std::string safe(std::string_view text, std::size_t most) {
  std::string out;
  std::size_t characters = 0;
  for (const char c : text) {
    if (is_utf8_continuation(c)) continue;
    if (characters++ == most) break;
    out += allowed(c) ? c : '_';
  }
  return out;
}

std::string_view basename(std::string_view path) {
  return path.substr(path.find_last_of('/') + 1);
}

}  // namespace

std::vector<Parameter> parameters_of(const Node& unit, const Vocabulary& vocabulary) {
  std::vector<Parameter> found;
  collect(unit, vocabulary, "", found);
  return found;
}

std::string path_params(std::vector<Parameter> parameters) {
  std::ranges::stable_sort(parameters, {}, &Parameter::key);
  std::string path;
  for (const Parameter& parameter : parameters) path += safe(parameter.text, kMaxValue) + "-";
  if (path.empty()) return "defaults";
  path.pop_back();
  return path.empty() || path == "." || path == ".." ? "defaults" : path;
}

std::string unit_name(std::string_view job_path, std::string_view path, const Node& unit,
                      bool kconfig_varies) {
  std::string_view stem = basename(job_path);
  if (stem.ends_with(".yaml")) stem.remove_suffix(5);
  std::string name = safe(stem, 128) + "-" + std::string(path);
  for (const std::string_view key : expand_dimensions()) {
    const std::string value = unit.get(key);
    if (value.empty() || key == "rootfs" || key == "kconfig") continue;
    name += "-" + safe(value, 128);
  }
  const std::string rootfs = unit.get("rootfs");
  if (!rootfs.empty()) name += "-" + safe(basename(rootfs), 128);
  const std::string kconfig = unit.get("kconfig");
  return kconfig.empty() || !kconfig_varies ? name : name + "-" + safe(kconfig, 128);
}

model::Axes axes_of(const Node& unit, const std::vector<Parameter>& parameters) {
  model::Axes axes;
  for (const std::string_view key : {"testcase", "kconfig", "rootfs", "compiler", "commit"})
    if (const std::string value = unit.get(key); !value.empty()) axes[std::string(key)] = value;
  for (const Parameter& parameter : parameters) {
    const auto [place, added] = axes.emplace(parameter.key, parameter.text);
    if (!added && place->second != parameter.text)
      axes[parameter.program + "." + parameter.key] = parameter.text;
  }
  return axes;
}

}  // namespace kilter::job
