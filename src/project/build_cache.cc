#include "project/build_cache.h"

#include "base/hash.h"
#include "base/text.h"
#include "model/json.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

namespace kilter::project {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLayout = "kilter-build-1";
constexpr std::size_t kKeyDigits = 24;
constexpr double kVersionTimeout = 10;

void add(Sha256& hash, std::string_view text) {
  hash.update(fmt::format("{}:", text.size()));
  hash.update(text);
}

void add(Sha256& hash, const std::map<std::string, std::string>& map) {
  add(hash, std::to_string(map.size()));
  for (const auto& [name, value] : map) {
    add(hash, name);
    add(hash, value);
  }
}

bool has_version(const std::string& name) {
  static const std::set<std::string> known = {"cc",    "c++",   "ld",    "as",      "ar",
                                              "go",    "make",  "cmake", "ninja",   "meson",
                                              "cargo", "rustc", "perl",  "python3", "nasm"};
  return known.contains(name) || name.contains("gcc") || name.contains("g++") || name.contains("clang");
}

std::string version_of(os::ProcessRunner& runner, const std::string& name) {
  const os::Path program = name.contains('/') ? os::Path(name) : os::find_program(name);
  std::error_code error;
  const std::uintmax_t size = fs::file_size(program, error);
  if (program.empty() || error) return "";
  if (has_version(program.filename().string())) {
    const std::string flag = name == "go" ? "version" : "--version";
    const Result<os::ProcessResult> result =
        runner.run({.argv = {program.string(), flag}, .env = {{"LC_ALL", "C"}}, .timeout = kVersionTimeout});
    if (result && result->ok() && !result->out.empty()) return printable(lines(result->out)[0]);
  }
  return fmt::format("{} {}", program.string(), size);
}

// The files of a directory with their paths, links as what they point to; sorted.
Result<std::string> hash_directory(const os::Path& directory) {
  std::vector<os::Path> paths;
  std::error_code error;
  for (fs::recursive_directory_iterator it(directory, error);
       !error && it != fs::recursive_directory_iterator(); it.increment(error))
    paths.push_back(it->path());
  if (error) return failure(fmt::format("reading '{}': {}", directory.string(), error.message()));
  std::ranges::sort(paths);
  Sha256 hash;
  for (const os::Path& path : paths) {
    const fs::file_status status = fs::symlink_status(path, error);
    add(hash, path.lexically_relative(directory).string());
    if (fs::is_symlink(status)) add(hash, fs::read_symlink(path, error).string());
    if (!fs::is_regular_file(status)) continue;
    ASSIGN_OR_RETURN(const std::string bytes, os::read_file(path));
    add(hash, bytes);
  }
  return hash.finish_hex();
}

Result<std::string> hash_artefact(const os::Path& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) return hash_directory(path);
  ASSIGN_OR_RETURN(const std::string bytes, os::read_file(path));
  return sha256_hex(bytes);
}

std::string id_of(const std::map<std::string, std::string>& hashes) {
  Sha256 hash;
  add(hash, hashes);
  return hash.finish_hex();
}

bool is_below(const os::Path& path, const os::Path& folder) {
  const os::Path relative = path.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

Status copy_artefact(const std::string& name, const std::string& path, const os::Path& source,
                     const os::Path& target) {
  std::error_code error;
  const os::Path real = fs::canonical(source / path, error);
  if (error) return usage_error(fmt::format("artefact '{}': the build made no '{}'", name, printable(path)));
  const os::Path folder = fs::canonical(source, error);
  if (!is_below(real, folder))
    return usage_error(
        fmt::format("artefact '{}': '{}' leads out of the source tree", name, printable(path)));
  if (!fs::is_regular_file(real, error) && !fs::is_directory(real, error))
    return usage_error(fmt::format("artefact '{}': '{}' is no file", name, printable(path)));
  fs::copy(real, target / name, fs::copy_options::recursive | fs::copy_options::copy_symlinks, error);
  if (error == std::errc::invalid_argument)
    return usage_error(fmt::format("artefact '{}': '{}' holds pipes or devices", name, printable(path)));
  if (error) return failure(fmt::format("copying artefact '{}': {}", name, error.message()));
  return {};
}

}  // namespace

std::string cache_key(const BuildInputs& inputs) {
  Sha256 hash;
  add(hash, kLayout);
  add(hash, inputs.tree);
  for (const Argv& step : inputs.steps) {
    add(hash, std::to_string(step.size()));
    for (const std::string& word : step) add(hash, word);
  }
  add(hash, inputs.env);
  add(hash, inputs.artefacts);
  add(hash, inputs.tools);
  return hash.finish_hex().substr(0, kKeyDigits);
}

std::map<std::string, std::string> tool_versions(os::ProcessRunner& runner,
                                                 const std::vector<std::string>& names) {
  std::map<std::string, std::string> versions;
  for (const std::string& name : names) versions[name] = version_of(runner, name);
  return versions;
}

Result<Collected> collect_artefacts(const std::map<std::string, std::string>& artefacts,
                                    const os::Path& source, const os::Path& target) {
  Collected collected;
  for (const auto& [name, path] : artefacts) {
    TRY(copy_artefact(name, path, source, target));
    ASSIGN_OR_RETURN(collected.hashes[name], hash_artefact(target / name));
  }
  collected.id = id_of(collected.hashes);
  return collected;
}

std::string build_meta(const model::Revision& revision, const BuildInputs& inputs, const Collected& collected,
                       const model::Build& build) {
  return model::dump_json({{"key", build.key},
                           {"id", build.id},
                           {"seconds", build.seconds},
                           {"revision", revision.label},
                           {"commit", revision.commit.sha},
                           {"patches", revision.patches},
                           {"tree", inputs.tree},
                           {"steps", inputs.steps},
                           {"env", inputs.env},
                           {"artefacts", inputs.artefacts},
                           {"tools", inputs.tools},
                           {"hashes", collected.hashes}});
}

std::optional<model::Build> load_build(const os::Path& directory) {
  const Result<std::string> text = os::read_file(directory / "meta.json");
  if (!text) return std::nullopt;
  const Result<nlohmann::json> meta = model::parse_json(*text, "meta.json");
  if (!meta) return std::nullopt;
  model::Build build = {.id = model::member<std::string>(*meta, "id"),
                        .key = model::member<std::string>(*meta, "key"),
                        .directory = directory.string(),
                        .log = (directory / "build.log").string(),
                        .from_cache = true,
                        .seconds = model::member<double>(*meta, "seconds")};
  const auto hashes = model::member<std::map<std::string, std::string>>(*meta, "hashes");
  if (hashes.empty() || build.id != id_of(hashes)) return std::nullopt;
  for (const auto& [name, expected] : hashes) {
    if (name.contains('/')) return std::nullopt;
    const Result<std::string> found = hash_artefact(directory / name);
    if (!found || *found != expected) return std::nullopt;
    build.artefacts[name] = (directory / name).string();
  }
  return build;
}

}  // namespace kilter::project
