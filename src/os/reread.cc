#include "os/reread.h"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace kilter::os {
namespace {

constexpr std::size_t kFirstSize = std::size_t{32} << 10;
constexpr std::size_t kLimit = std::size_t{64} << 20;
// A record of /dev/kmsg is at most this long; shorter room makes read(2) fail with EINVAL.
constexpr std::size_t kMessageSize = std::size_t{8} << 10;

// Makes room for `needed` more bytes after `used`; false when the limit is reached.
bool make_room(std::vector<char>& scratch, std::size_t used, std::size_t needed) {
  if (scratch.size() >= used + needed) return true;
  if (used + needed > kLimit) return false;
  scratch.resize(std::max({kFirstSize, scratch.size() * 2, used + needed}));
  return true;
}

tl::unexpected<Error> read_failure(const Path& path, std::string_view why) {
  return failure(fmt::format("reading '{}': {}", path.string(), why));
}

}  // namespace

Result<RereadFile> RereadFile::open(const Path& path, Kind kind) {
  Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | (kind == Kind::messages ? O_NONBLOCK : 0)));
  if (!fd) return read_failure(path, errno_text(errno));
  if (kind == Kind::messages && ::lseek(fd.get(), 0, SEEK_END) < 0)
    return read_failure(path, errno_text(errno));
  return RereadFile(std::move(fd), path, kind);
}

Result<std::string_view> RereadFile::read(std::vector<char>& scratch) {
  return kind_ == Kind::whole ? read_whole(scratch) : read_messages(scratch);
}

Result<std::string_view> RereadFile::read_whole(std::vector<char>& scratch) {
  std::size_t used = 0;
  while (true) {
    if (!make_room(scratch, used, 4096)) return read_failure(path_, "larger than 64 MiB");
    const ssize_t got =
        ::pread(fd_.get(), scratch.data() + used, scratch.size() - used, static_cast<off_t>(used));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return read_failure(path_, errno_text(errno));
    if (got == 0) return std::string_view(scratch.data(), used);
    used += static_cast<std::size_t>(got);
  }
}

Result<std::string_view> RereadFile::read_messages(std::vector<char>& scratch) {
  constexpr std::size_t kOneReading = std::size_t{4} << 20;
  std::size_t used = 0;
  while (used < kOneReading) {
    if (!make_room(scratch, used, kMessageSize)) break;
    const ssize_t got = ::read(fd_.get(), scratch.data() + used, scratch.size() - used);
    // EPIPE: the ring buffer overtook us; the next read goes on with the oldest record there is.
    if (got < 0 && (errno == EINTR || errno == EPIPE)) continue;
    if (got < 0 && errno != EAGAIN) return read_failure(path_, errno_text(errno));
    if (got <= 0) break;
    used += static_cast<std::size_t>(got);
  }
  return std::string_view(scratch.data(), used);
}

Result<FileWriter> FileWriter::create(const Path& path) {
  Fd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (!fd) return failure(fmt::format("writing '{}': {}", path.string(), errno_text(errno)));
  return FileWriter(std::move(fd), path);
}

Status FileWriter::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd_.get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return failure(fmt::format("writing '{}': {}", path_.string(), errno_text(errno)));
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

Result<FileReader> FileReader::open(const Path& path) {
  Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) return read_failure(path, errno_text(errno));
  return FileReader(std::move(fd), path);
}

Result<std::size_t> FileReader::read(std::span<char> room) {
  std::size_t used = 0;
  while (used < room.size()) {
    const ssize_t got = ::read(fd_.get(), room.data() + used, room.size() - used);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return read_failure(path_, errno_text(errno));
    if (got == 0) break;
    used += static_cast<std::size_t>(got);
  }
  return used;
}

}  // namespace kilter::os
