#include "os/files.h"

#include "base/text.h"
#include "os/debugfs.h"
#include "os/fd.h"

#include <fmt/core.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <glob.h>
#include <limits>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace kilter::os {
namespace {

namespace fs = std::filesystem;

tl::unexpected<Error> file_failure(std::string_view action, const Path& path, int error) {
  return failure(fmt::format("{} '{}': {}", action, path.string(), errno_text(error)));
}

// "cpu2" < "cpu10": text and digit runs compared in turn.
bool natural_less(std::string_view a, std::string_view b) {
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    const std::size_t a_end = std::min(a.find_first_not_of("0123456789", i), a.size());
    const std::size_t b_end = std::min(b.find_first_not_of("0123456789", j), b.size());
    if (a_end > i && b_end > j) {
      if (a_end - i != b_end - j) return a_end - i < b_end - j;
      const int order = a.substr(i, a_end - i).compare(b.substr(j, b_end - j));
      if (order != 0) return order < 0;
      i = a_end;
      j = b_end;
    } else if (a[i] != b[j]) {
      return a[i] < b[j];
    } else {
      ++i;
      ++j;
    }
  }
  return a.size() - i < b.size() - j;
}

Status write_all(int fd, const Path& path, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return file_failure("writing", path, errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

Status write_opened(const Path& path, std::string_view bytes, int flags, bool sync) {
  const Fd fd(::open(path.c_str(), flags | O_WRONLY | O_CLOEXEC, 0666));
  if (!fd) return file_failure("opening", path, errno);
  TRY(write_all(fd.get(), path, bytes));
  if (sync && ::fsync(fd.get()) != 0) return file_failure("syncing", path, errno);
  return {};
}

// The new link beside `link`, to be renamed over it.
Result<Path> temporary_symlink(const Path& target, const Path& link) {
  struct stat there{};
  if (!link.has_filename() || (::lstat(link.c_str(), &there) == 0 && !S_ISLNK(there.st_mode)))
    return failure(fmt::format("linking '{}': what is there is no link", link.string()),
                   "move it away, or name another place");
  Path temporary = link.string() + fmt::format(".{}.tmp", ::getpid());
  ::unlink(temporary.c_str());
  if (::symlink(target.c_str(), temporary.c_str()) != 0) return file_failure("linking", link, errno);
  return temporary;
}

}  // namespace

Path Root::at(std::string_view absolute) const {
  constexpr std::string_view kDebug = "/sys/kernel/debug/";
  if (prefix_ == "/" && absolute.starts_with(kDebug)) return debugfs() / absolute.substr(kDebug.size());
  if (absolute.starts_with('/')) absolute.remove_prefix(1);
  return prefix_ / absolute;
}

Result<std::string> Root::read(std::string_view absolute) const {
  return read_file(at(absolute));
}

bool Root::exists(std::string_view absolute) const {
  return is_there(at(absolute));
}

std::vector<std::string> Root::list(std::string_view absolute) const {
  std::vector<std::string> names;
  for (const Path& path : list_directory(at(absolute))) names.push_back(path.filename().string());
  std::ranges::sort(names, natural_less);
  return names;
}

std::vector<std::string> Root::expand(const std::string& pattern) const {
  glob_t found{};
  std::vector<std::string> paths;
  const std::string prefix = at("").string();
  if (::glob(at(pattern).c_str(), 0, nullptr, &found) == 0)
    for (std::size_t i = 0; i < found.gl_pathc; ++i)
      paths.push_back("/" + std::string(found.gl_pathv[i]).substr(prefix.size()));
  ::globfree(&found);
  return paths;
}

// A pipe, a device or a socket in a file's place must neither block nor feed a reader for ever.
Result<Fd> open_to_read(const Path& path) {
  Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  struct stat info{};
  if (!fd || ::fstat(fd.get(), &info) != 0) return file_failure("reading", path, errno);
  if (S_ISDIR(info.st_mode)) return file_failure("reading", path, EISDIR);
  if (!S_ISREG(info.st_mode)) return failure(fmt::format("reading '{}': it is no file", path.string()));
  return fd;
}

// What a reader of the text may look at beyond its end without a copy (and the byte that finds the end).
constexpr off_t kSpare = 128;

Result<std::string> read_file(const Path& path, std::uint64_t limit) {
  ASSIGN_OR_RETURN(const Fd fd, open_to_read(path));
  struct stat info{};
  ::fstat(fd.get(), &info);
  std::string bytes;
  std::size_t used = 0;
  bytes.resize(static_cast<std::size_t>(std::clamp<off_t>(info.st_size + kSpare, 4096, 1 << 26)));
  while (true) {
    const ssize_t got = ::read(fd.get(), bytes.data() + used, bytes.size() - used);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return file_failure("reading", path, errno);
    if (got == 0) break;
    used += static_cast<std::size_t>(got);
    if (used > limit) return failure(fmt::format("reading '{}': larger than {} bytes", path.string(), limit));
    if (used == bytes.size()) bytes.resize(bytes.size() * 2);
  }
  bytes.resize(used);
  return bytes;
}

Status write_file(const Path& path, std::string_view bytes, Durability durability) {
  const Path temporary = path.string() + fmt::format(".{}.tmp", ::getpid());
  Status written = write_opened(temporary, bytes, O_CREAT | O_TRUNC, durability == Durability::synced);
  if (written) written = rename_path(temporary, path);
  if (!written) ::unlink(temporary.c_str());
  return written;
}

Status write_changed_file(const Path& path, std::string_view bytes) {
  if (is_plain_file(path) && size_of_file(path) == bytes.size())
    if (const Result<std::string> old = read_file(path); old && *old == bytes) return {};
  return write_file(path, bytes);
}

Status write_into(const Path& path, std::string_view bytes) {
  return write_opened(path, bytes, 0, false);
}

Status append_file(const Path& path, std::string_view bytes) {
  return write_opened(path, bytes, O_CREAT | O_APPEND, false);
}

Result<std::string> read_tail(const Path& path, std::uint64_t bytes) {
  ASSIGN_OR_RETURN(const Fd fd, open_to_read(path));
  const std::uint64_t size = size_of_file(path);
  std::string tail(std::min(bytes, size), '\0');
  const ssize_t got = ::pread(fd.get(), tail.data(), tail.size(), static_cast<off_t>(size - tail.size()));
  if (got < 0) return file_failure("reading", path, errno);
  tail.resize(static_cast<std::size_t>(got));
  return tail;
}

Status append_contents(const Path& from, const Path& to) {
  ASSIGN_OR_RETURN(const Fd in, open_to_read(from));
  const Fd out(::open(to.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
  if (!out) return file_failure("opening", to, errno);
  std::string buffer(std::size_t{1} << 18, '\0');
  while (true) {
    const ssize_t got = ::read(in.get(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return file_failure("reading", from, errno);
    if (got == 0) return {};
    TRY(write_all(out.get(), to, std::string_view(buffer).substr(0, static_cast<std::size_t>(got))));
  }
}

Status make_directories(const Path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) return failure(fmt::format("making directory '{}': {}", path.string(), error.message()));
  return {};
}

Status make_executable(const Path& path) {
  struct stat info{};
  constexpr mode_t kExecute = S_IXUSR | S_IXGRP | S_IXOTH;
  if (::stat(path.c_str(), &info) != 0 || ::chmod(path.c_str(), (info.st_mode | kExecute) & 07777) != 0)
    return file_failure("making executable", path, errno);
  return {};
}

Status rename_path(const Path& from, const Path& to) {
  if (::rename(from.c_str(), to.c_str()) != 0)
    return failure(fmt::format("renaming '{}' to '{}': {}", from.string(), to.string(), errno_text(errno)));
  return {};
}

Result<bool> rename_new(const Path& from, const Path& to) {
  int failed = ::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE);
  // File systems without that flag still refuse to replace a directory that is not empty.
  if (failed != 0 && errno == EINVAL) failed = ::rename(from.c_str(), to.c_str());
  if (failed == 0) return true;
  if (errno == EEXIST || errno == ENOTEMPTY) return false;
  return failure(fmt::format("renaming '{}' to '{}': {}", from.string(), to.string(), errno_text(errno)));
}

Status remove_tree(const Path& path) {
  std::error_code error;
  fs::remove_all(path, error);
  if (error) return failure(fmt::format("removing '{}': {}", path.string(), error.message()));
  return {};
}

Status can_replace_symlink(const Path& link) {
  ASSIGN_OR_RETURN(const Path temporary, temporary_symlink(".", link));
  ::unlink(temporary.c_str());
  return {};
}

Status replace_symlink(const Path& target, const Path& link) {
  ASSIGN_OR_RETURN(const Path temporary, temporary_symlink(target, link));
  Status renamed = rename_path(temporary, link);
  if (!renamed) ::unlink(temporary.c_str());
  return renamed;
}

std::vector<Path> list_directory(const Path& path) {
  std::vector<Path> paths;
  std::error_code error;
  for (fs::directory_iterator it(path, error); !error && it != fs::directory_iterator(); it.increment(error))
    paths.push_back(it->path());
  std::ranges::sort(paths);
  return paths;
}

bool is_there(const Path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

bool is_file(const Path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

bool is_directory(const Path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

bool is_plain_file(const Path& path) {
  std::error_code ignored;
  return fs::is_regular_file(fs::symlink_status(path, ignored));
}

bool is_plain_directory(const Path& path) {
  std::error_code ignored;
  return fs::is_directory(fs::symlink_status(path, ignored));
}

std::uint64_t size_of_file(const Path& path) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(path, error);
  return error ? 0 : size;
}

Status cut_file(const Path& path, std::uint64_t bytes) {
  if (size_of_file(path) <= bytes) return {};
  if (::truncate(path.c_str(), static_cast<off_t>(bytes)) != 0) return file_failure("cutting", path, errno);
  return {};
}

Status reserve_file(const Path& path, std::uint64_t bytes) {
  const Fd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  if (!fd) return file_failure("opening", path, errno);
  const int error = ::posix_fallocate(fd.get(), 0, static_cast<off_t>(bytes));
  if (error != 0) return file_failure("reserving room in", path, error);
  return {};
}

bool is_writable(const Path& path) {
  return ::access(path.c_str(), W_OK) == 0;
}

void sync_disks() {
  ::sync();
}

std::uint64_t free_bytes(const Path& path) {
  struct statvfs info{};
  const bool known = ::statvfs(path.c_str(), &info) == 0 && info.f_blocks > 0;  // procfs has no blocks at all
  if (!known) return std::numeric_limits<std::uint64_t>::max();
  return static_cast<std::uint64_t>(::geteuid() == 0 ? info.f_bfree : info.f_bavail) * info.f_frsize;
}

Result<TempDir> TempDir::create(const Path& parent, std::string_view stem) {
  std::string pattern = (parent / fmt::format("{}.XXXXXX", stem)).string();
  if (::mkdtemp(pattern.data()) == nullptr) return file_failure("making a directory in", parent, errno);
  return TempDir(pattern);
}

TempDir& TempDir::operator=(TempDir&& other) noexcept {
  std::swap(path_, other.path_);
  return *this;
}

TempDir::~TempDir() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

Result<FileLock> FileLock::acquire(const Path& path, double seconds) {
  Fd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (!fd) return file_failure("opening lock", path, errno);
  constexpr std::chrono::milliseconds kPause(20);
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) return file_failure("locking", path, errno);
    if (std::chrono::steady_clock::now() >= end)
      return failure(fmt::format("locking '{}': another kilter holds it", path.string()),
                     "wait for it to end, or use another --home");
    std::this_thread::sleep_for(kPause);
  }
  return FileLock(fd.release());
}

FileLock& FileLock::operator=(FileLock&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

FileLock::~FileLock() {
  if (fd_ >= 0) ::close(fd_);
}

std::string errno_text(int error) {
  return std::error_code(error, std::generic_category()).message();
}

Path program_directory() {
  std::error_code error;
  const Path self = fs::read_symlink("/proc/self/exe", error);
  return error ? Path(".") : self.parent_path();
}

}  // namespace kilter::os
