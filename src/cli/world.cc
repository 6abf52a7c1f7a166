#include "cli/world.h"

#include "base/log.h"

#include <fmt/core.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

namespace kilter::cli {
namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

Status World::print(std::string_view text) const {
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0) return {};
  if (errno == EPIPE) return {};
  return failure(fmt::format("writing to stdout: {}", os::errno_text(errno)));
}

robot::World robot_world(const World& world) {
  return {.home = world.home, .runner = world.runner, .clock = world.clock, .root = world.root};
}

Result<os::Path> home_directory(const std::string& flag) {
  if (!flag.empty()) return std::filesystem::absolute(flag);
  if (const std::string home = environment("KILTER_HOME"); !home.empty())
    return std::filesystem::absolute(home);
  if (const std::string data = environment("XDG_DATA_HOME"); data.starts_with('/'))
    return os::Path(data) / "kilter";
  if (const std::string user = environment("HOME"); user.starts_with('/'))
    return os::Path(user) / ".local/share/kilter";
  return usage_error("finding the state folder: HOME is not set", "name it with --home DIR or KILTER_HOME");
}

Result<int> no_results_yet(const World& world, std::string_view nothing) {
  log::note(fmt::format("no results yet in '{}'", world.home.string()));
  log::hint("kilter run JOB measures, kilter import DIR takes results in");
  TRY(world.print(nothing));
  return 0;
}

Status make_home(const os::Path& home) {
  Status made = os::make_directories(home);
  if (made && ::access(home.c_str(), W_OK) != 0)
    made = failure(fmt::format("using the state folder '{}': {}", home.string(), os::errno_text(errno)));
  if (!made) return fail(made.error().with_hint("choose another one with --home DIR or KILTER_HOME"));
  return {};
}

}  // namespace kilter::cli
