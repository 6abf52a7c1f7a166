#include "os/cgroup.h"

#include "base/text.h"

#include <sys/stat.h>

#include <csignal>
#include <unistd.h>

namespace kilter::os {
namespace {

// A mounted cgroup hierarchy and the path of our own group in it.
struct Hierarchy {
  Path mount;
  std::string own;
};

bool has_word(std::string_view list, std::string_view word) {
  for (const std::string_view item : split(list, ','))
    if (item == word) return true;
  return false;
}

// Where hierarchy `controller` ("" = v2) is mounted: /proc/self/mounts, "cgroup /sys/fs/cgroup/pids cgroup
// rw,pids 0 0".
std::optional<Path> mount_of(std::string_view mounts, std::string_view controller) {
  for (const std::string_view line : lines(mounts)) {
    const std::vector<std::string_view> field = words(line);
    if (field.size() < 4) continue;
    const bool match =
        controller.empty() ? field[2] == "cgroup2" : field[2] == "cgroup" && has_word(field[3], controller);
    if (match) return Path(field[1]);
  }
  return std::nullopt;
}

// Our own group: /proc/self/cgroup, "0::/user.slice" or "8:pids:/".
std::optional<std::string> own_group(std::string_view text, std::string_view controller) {
  for (const std::string_view line : lines(text)) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string_view::npos || second == std::string_view::npos) continue;
    const std::string_view controllers = line.substr(first + 1, second - first - 1);
    if (controller.empty() ? controllers.empty() : has_word(controllers, controller))
      return std::string(line.substr(second + 1));
  }
  return std::nullopt;
}

std::vector<Path> groups_below(const Path& path) {
  std::vector<Path> groups;
  for (const Path& entry : list_directory(path)) {
    struct stat info{};
    if (::lstat(entry.c_str(), &info) == 0 && S_ISDIR(info.st_mode)) groups.push_back(entry);
  }
  return groups;
}

void collect(const Path& path, std::vector<pid_t>& found) {
  const Result<std::string> text = read_file(path / "cgroup.procs");
  if (!text) return;
  for (const std::string_view line : lines(*text))
    if (const std::optional<std::int64_t> pid = parse_int(line); pid && *pid > 1)
      found.push_back(static_cast<pid_t>(*pid));
  for (const Path& group : groups_below(path)) collect(group, found);
}

}  // namespace

std::optional<Cgroup> Cgroup::create(const Root& root, const std::string& name) {
  const Result<std::string> mounts = root.read("/proc/self/mounts");
  const Result<std::string> own = root.read("/proc/self/cgroup");
  if (!mounts || !own) return std::nullopt;
  for (const std::string_view controller : {"", "freezer", "pids"}) {
    const std::optional<Path> mount = mount_of(*mounts, controller);
    const std::optional<std::string> group = own_group(*own, controller);
    if (!mount || !group) continue;
    const Path parent = root.at(mount->string()) / std::string_view(*group).substr(1);
    const Path path = parent / name;
    if (::mkdir(path.c_str(), 0755) != 0) continue;
    if (::access((path / "cgroup.procs").c_str(), W_OK) == 0) return Cgroup(path);
    ::rmdir(path.c_str());
  }
  return std::nullopt;
}

std::vector<pid_t> Cgroup::processes() const {
  std::vector<pid_t> found;
  collect(path_, found);
  return found;
}

void Cgroup::kill_all() const {
  if (write_into(path_ / "cgroup.kill", "1")) return;
  const bool frozen = write_into(path_ / "freezer.state", "FROZEN").has_value();
  for (const pid_t pid : processes()) ::kill(pid, SIGKILL);
  if (frozen) static_cast<void>(write_into(path_ / "freezer.state", "THAWED"));
}

bool Cgroup::remove() const {
  for (const Path& group : groups_below(path_)) Cgroup(group).remove();
  return ::rmdir(path_.c_str()) == 0 || ::access(path_.c_str(), F_OK) != 0;
}

}  // namespace kilter::os
