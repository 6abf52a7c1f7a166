#pragma once

#include "base/result.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

// Files. Every error names the path and the system's reason ("reading '/x': Permission denied").
namespace kilter::os {

using Path = std::filesystem::path;

// The machine's files below a prefix: `/` in production, tests/root/<machine> in tests.
// Paths given to it are absolute as on the machine ("/proc/stat"); those below /sys/kernel/debug are found
// even where debugfs is not mounted (os/debugfs.h).
class Root {
 public:
  Root() = default;
  explicit Root(Path prefix) : prefix_(std::move(prefix)) {}
  [[nodiscard]] Path at(std::string_view absolute) const;
  [[nodiscard]] Result<std::string> read(std::string_view absolute) const;
  [[nodiscard]] bool exists(std::string_view absolute) const;
  // Names (not paths) in a directory, sorted with numbers by value (cpu2 before cpu10); empty if there is
  // none.
  [[nodiscard]] std::vector<std::string> list(std::string_view absolute) const;
  // The paths that a pattern with * or ? stands for, as on the machine, sorted; a pattern without either
  // gives itself when it is there.
  [[nodiscard]] std::vector<std::string> expand(const std::string& pattern) const;

 private:
  Path prefix_ = "/";
};

// Whole file, /proc files of unknown size included. More than `limit` bytes is an error, and so is what is no
// file (a pipe, a device).
[[nodiscard]] Result<std::string> read_file(const Path& path, std::uint64_t limit = std::uint64_t{1} << 31);
// Replaces the file in one step: temporary beside it, optional fsync, rename. The old file survives any
// failure.
enum class Durability { lazy, synced };
[[nodiscard]] Status write_file(const Path& path, std::string_view bytes,
                                Durability durability = Durability::lazy);
// The same, unless the file has these bytes already: then it is left alone, with its times. (Replacing a file
// makes ext4 write its data out at once.)
[[nodiscard]] Status write_changed_file(const Path& path, std::string_view bytes);
// Writes into an existing file without replacing it (sysfs, procfs).
[[nodiscard]] Status write_into(const Path& path, std::string_view bytes);
[[nodiscard]] Status append_file(const Path& path, std::string_view bytes);
// The last `bytes` bytes, or all there are.
[[nodiscard]] Result<std::string> read_tail(const Path& path, std::uint64_t bytes);
// Appends the bytes of one file to another, without holding them in memory.
[[nodiscard]] Status append_contents(const Path& from, const Path& to);
[[nodiscard]] Status make_directories(const Path& path);
[[nodiscard]] Status make_executable(const Path& path);
// rename(2); parent directories must exist.
[[nodiscard]] Status rename_path(const Path& from, const Path& to);
// The same, but never replaces: false when `to` exists already. Atomic against other processes doing the
// same.
[[nodiscard]] Result<bool> rename_new(const Path& from, const Path& to);
// Removes a file or a tree; what is not there is fine. Never follows links.
[[nodiscard]] Status remove_tree(const Path& path);
// Makes `link` point to `target`, replacing an older link in one step.
[[nodiscard]] Status replace_symlink(const Path& target, const Path& link);
// Whether it could: no file or directory stands there, and its directory can be written.
[[nodiscard]] Status can_replace_symlink(const Path& link);
[[nodiscard]] std::vector<Path> list_directory(const Path& path);
// What is at a path; false when that cannot be told. The first three follow links, for the plain ones a link
// is none.
[[nodiscard]] bool is_there(const Path& path);
[[nodiscard]] bool is_file(const Path& path);
[[nodiscard]] bool is_directory(const Path& path);
[[nodiscard]] bool is_plain_file(const Path& path);
[[nodiscard]] bool is_plain_directory(const Path& path);
// Bytes of a file; 0 when there is none.
[[nodiscard]] std::uint64_t size_of_file(const Path& path);
// Cuts a file that is longer.
Status cut_file(const Path& path, std::uint64_t bytes);
// A new file of `bytes` bytes whose blocks are really taken, so that deleting it makes room on a full disk.
[[nodiscard]] Status reserve_file(const Path& path, std::uint64_t bytes);
// False when it is not there, too.
[[nodiscard]] bool is_writable(const Path& path);
// sync(2): all dirty pages to the disks.
void sync_disks();
// What this process may still write on the file system of `path`; the largest number when it cannot be told.
[[nodiscard]] std::uint64_t free_bytes(const Path& path);

// A directory that is gone when the object is.
class TempDir {
 public:
  [[nodiscard]] static Result<TempDir> create(const Path& parent, std::string_view stem);
  // Owns a directory that is there already.
  [[nodiscard]] static TempDir adopt(Path path) { return TempDir(std::move(path)); }
  TempDir(TempDir&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  TempDir& operator=(TempDir&& other) noexcept;
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;
  ~TempDir();
  [[nodiscard]] const Path& path() const { return path_; }
  Path release() { return std::exchange(path_, {}); }

 private:
  explicit TempDir(Path path) : path_(std::move(path)) {}
  Path path_;
};

// Advisory lock on a file (made if missing); released when the object dies or the process ends.
class FileLock {
 public:
  // Waits up to `seconds`; an error says who should be waited for.
  [[nodiscard]] static Result<FileLock> acquire(const Path& path, double seconds);
  FileLock(FileLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileLock& operator=(FileLock&& other) noexcept;
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock();

 private:
  explicit FileLock(int fd) : fd_(fd) {}
  int fd_ = -1;
};

[[nodiscard]] std::string errno_text(int error);
// Directory of the running program, where kilter-bench and kilter-agent stand beside kilter.
[[nodiscard]] Path program_directory();

}  // namespace kilter::os
