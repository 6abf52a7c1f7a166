#include "bench/scale/files.h"

#include "bench/scale/area.h"

#include <fmt/core.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>
#include <vector>

namespace kilter::bench::scale {
namespace {

constexpr std::string_view kStem = "/willitscale.";
constexpr std::string_view kInnerFile = "/willitscale";
constexpr std::string_view kSharedMemory = "/dev/shm";

// A path in a fixed buffer: built in signal handlers too.
struct PathBuffer {
  char text[PATH_MAX] = {};
  std::size_t length = 0;

  void add(std::string_view part) {
    const std::size_t room = sizeof text - 1 - length;
    std::memcpy(text + length, part.data(), std::min(part.size(), room));
    length += std::min(part.size(), room);
    text[length] = 0;
  }
};

// Read once, before any task exists.
const std::string& directory() {
  static const std::string chosen = work_directory();
  return chosen;
}

PathBuffer path_of(const Name& name) {
  PathBuffer path;
  path.add(name.in_shared_memory ? kSharedMemory : std::string_view(directory()));
  path.add(kStem);
  path.add({name.suffix, sizeof name.suffix});
  return path;
}

void draw_suffix(Name& name) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  std::array<unsigned char, sizeof name.suffix> random{};
  require(::getrandom(random.data(), random.size(), 0) == static_cast<ssize_t>(random.size()),
          "drawing a random file name");
  for (std::size_t i = 0; i < random.size(); ++i) name.suffix[i] = kLetters[random[i] % kLetters.size()];
}

constexpr int kAttempts = 100;

// Notes the name, then creates it: there is no moment at which it exists unnoted.
int create_file(Name& name, int flags) {
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    draw_suffix(name);
    name.kind = Name::Kind::file;
    const int fd = ::open(path_of(name).text, O_RDWR | O_CREAT | O_EXCL | flags, 0600);
    if (fd >= 0) return fd;
    name.kind = Name::Kind::none;
    if (errno != EEXIST) break;
  }
  die((std::string("creating a file in '") + directory() + "'").c_str());
}

void create_directory(Name& name) {
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    draw_suffix(name);
    name.kind = Name::Kind::directory;
    if (::mkdir(path_of(name).text, 0700) == 0) return;
    name.kind = Name::Kind::none;
    if (errno != EEXIST) break;
  }
  die((std::string("creating a directory in '") + directory() + "'").c_str());
}

// Paths by task, made in prepare() and read by the tasks.
std::vector<std::string> paths;

}  // namespace

std::string work_directory() {
  const char* chosen = std::getenv("TMPDIR");
  if (chosen == nullptr || chosen[0] != '/' || std::strlen(chosen) > PATH_MAX / 2) return "/tmp";
  std::string path = chosen;
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

std::string file_system_of(const std::string& path) {
  struct Known {
    std::uint64_t magic;
    std::string_view name;
  };
  static constexpr Known kKnown[] = {
      {0xEF53, "ext4"},        {0x01021994, "tmpfs"}, {0x58465342, "xfs"},  {0x9123683E, "btrfs"},
      {0x794C7630, "overlay"}, {0x858458F6, "ramfs"}, {0xF2F52010, "f2fs"}, {0x6969, "nfs"},
      {0x01021997, "9p"},      {0x2FC12FC1, "zfs"},   {0x65735546, "fuse"}, {0xCA451A4E, "bcachefs"},
  };
  struct statfs stats{};
  if (::statfs(path.c_str(), &stats) != 0) return "unknown";
  const std::uint64_t magic = static_cast<std::uint32_t>(stats.f_type);
  for (const Known& known : kKnown)
    if (known.magic == magic) return std::string(known.name);
  return fmt::format("{:#x}", magic);
}

int private_file(const Task& task, int flags, Where where) {
  Name& name = area().names[kMaxTasks + task.index];
  name.in_shared_memory = where == Where::shared_memory;
  const int fd = create_file(name, flags);
  require(::unlink(path_of(name).text) == 0, "removing the name of a private file");
  name.kind = Name::Kind::none;
  return fd;
}

void make_shared_file(std::size_t bytes) {
  Name& name = area().names[0];
  const int fd = create_file(name, 0);
  fill_with_zeros(fd, bytes);
  ::close(fd);
  paths.assign(1, path_of(name).text);
}

int open_shared_file(int flags) {
  const int fd = ::open(paths.front().c_str(), flags);
  require(fd >= 0, "opening the shared file");
  return fd;
}

void make_task_files(unsigned tasks) {
  paths.clear();
  for (unsigned i = 0; i < tasks; ++i) {
    ::close(create_file(area().names[i], 0));
    paths.emplace_back(path_of(area().names[i]).text);
  }
}

void make_task_names(unsigned tasks) {
  make_task_files(tasks);
  for (const std::string& path : paths) require(::unlink(path.c_str()) == 0, "giving back a file name");
}

void make_task_directories(unsigned tasks) {
  paths.clear();
  for (unsigned i = 0; i < tasks; ++i) {
    create_directory(area().names[i]);
    PathBuffer path = path_of(area().names[i]);
    path.add(kInnerFile);
    const int fd = ::open(path.text, O_RDWR | O_CREAT | O_EXCL, 0600);
    require(fd >= 0, "creating a file in a directory of its own");
    ::close(fd);
    paths.emplace_back(path.text);
  }
}

const char* task_path(const Task& task) {
  return paths[task.index].c_str();
}

void fill_with_zeros(int fd, std::size_t bytes) {
  static constexpr char kZeros[4096] = {};
  while (bytes > 0) {
    const ssize_t written = ::write(fd, kZeros, std::min(bytes, sizeof kZeros));
    require(written > 0, "filling a file");
    bytes -= static_cast<std::size_t>(written);
  }
}

void sweep_names() {
  for (Name& name : area().names) {
    const Name::Kind kind = name.kind;
    if (kind == Name::Kind::none) continue;
    PathBuffer path = path_of(name);
    if (kind == Name::Kind::directory) {
      PathBuffer inner = path;
      inner.add(kInnerFile);
      ::unlink(inner.text);
      ::rmdir(path.text);
    } else {
      ::unlink(path.text);
    }
  }
}

}  // namespace kilter::bench::scale
