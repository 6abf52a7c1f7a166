#include "store/import_scan.h"

#include "base/text.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

namespace kilter::store {
namespace {

namespace fs = std::filesystem;

constexpr int kDeepest = 24;
constexpr std::size_t kMostEntries = 4000000;
constexpr std::size_t kLongestValue = 1000;
constexpr std::array<const char*, 6> kAxes = {"testcase", "tbox_group", "rootfs",
                                              "kconfig",  "compiler",   "commit"};

bool is_number(const Path& path) {
  const std::string name = path.filename().string();
  return !name.empty() && name.find_first_not_of("0123456789") == std::string::npos;
}

bool is_run(const Path& directory) {
  return os::is_plain_file(directory / "outcome.json") || os::is_plain_file(directory / "stats.json") ||
         (is_number(directory) && os::is_plain_file(directory / "job.yaml"));
}

struct Walk {
  Found found;
  std::size_t entries = 0;

  // Answers whether there was a run at or below the directory.
  Result<bool> into(const Path& directory, int depth);
};

Result<bool> Walk::into(const Path& directory, int depth) {
  if (depth > kDeepest)
    return failure(fmt::format("importing '{}': deeper than {} directories", directory.string(), kDeepest));
  if (is_run(directory)) {
    found.runs.push_back(directory);
    return true;
  }
  bool any = false;
  for (const Path& entry : os::list_directory(directory)) {
    if (++entries > kMostEntries)
      return failure(fmt::format("importing '{}': more than {} files", directory.string(), kMostEntries));
    if (!os::is_plain_directory(entry)) continue;
    ASSIGN_OR_RETURN(const bool below, into(entry, depth + 1));
    any = any || below;
  }
  for (const char* const name : {"matrix.json", "matrix.json.gz"}) {
    if (any || !os::is_plain_file(directory / name)) continue;
    found.matrices.push_back(directory / name);
    any = true;
  }
  return any;
}

}  // namespace

std::string plain(std::string_view text) {
  const std::string safe = replace_all(printable(text.substr(0, kLongestValue)), "\n", " ");
  return replace_all(safe, "\t", " ");
}

Result<Found> scan_tree(const Path& source) {
  std::error_code error;
  const Path root = fs::canonical(source, error);
  if (error) return failure(fmt::format("importing '{}': {}", source.string(), error.message()));
  if (fs::is_regular_file(root, error)) return Found{{}, {root}};
  Walk walk;
  ASSIGN_OR_RETURN(const bool any, walk.into(root, 0));
  if (!any)
    return failure(fmt::format("importing '{}': there is no run and no matrix.json in it", source.string()),
                   "name a directory of an LKP result tree, of another kilter's results/, or a matrix.json");
  return walk.found;
}

std::optional<Identity> identity_of_path(const Path& run) {
  std::vector<std::string> parts;
  for (const Path& part : run) parts.push_back(part.string());
  constexpr std::size_t kDepth = kAxes.size() + 2;  // path_params and the number
  if (parts.size() < kDepth || !is_number(run)) return std::nullopt;
  const auto part = [&](std::size_t i) { return plain(parts[parts.size() - kDepth + i]); };
  const std::string compiler = part(5);
  if (!compiler.starts_with("gcc") && !compiler.starts_with("clang")) return std::nullopt;
  Identity identity;
  identity.path_params = part(1);
  for (std::size_t i = 0; i < kAxes.size(); ++i) identity.axes[kAxes[i]] = part(i == 0 ? 0 : i + 1);
  return identity;
}

void add_path_params(model::Axes& axes, const std::string& path_params) {
  const bool has_parameters = std::ranges::any_of(axes, [](const auto& axis) {
    return axis.first != "path_params" && std::ranges::find(kAxes, axis.first) == kAxes.end();
  });
  if (!has_parameters && !path_params.empty() && path_params != "defaults") axes["path_params"] = path_params;
}

}  // namespace kilter::store
