#include "os/journal_file.h"

#include <fmt/core.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace kilter::os {
namespace {

tl::unexpected<Error> journal_failure(std::string_view action, const Path& path) {
  return failure(fmt::format("{} journal '{}': {}", action, path.string(), errno_text(errno)));
}

}  // namespace

Result<JournalFile> JournalFile::create(const Path& path) {
  // Locked under another name first: a reader must never find it unlocked while we live.
  const Path unlocked = path.string() + ".new";
  Fd fd(::open(unlocked.c_str(), O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0644));
  if (!fd) return journal_failure("making", unlocked);
  if (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) return journal_failure("locking", unlocked);
  TRY(rename_path(unlocked, path));
  return JournalFile(path, std::move(fd));
}

std::optional<JournalFile> JournalFile::take_over(const Path& path) {
  Fd fd(::open(path.c_str(), O_RDWR | O_APPEND | O_CLOEXEC | O_NONBLOCK));
  if (!fd || ::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) return std::nullopt;
  struct stat opened{};
  if (::fstat(fd.get(), &opened) != 0 || opened.st_nlink == 0 || !S_ISREG(opened.st_mode))
    return std::nullopt;
  return JournalFile(path, std::move(fd));
}

bool JournalFile::in_use(const Path& path) {
  const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  // Shared, so that two who ask at once do not take each other for the owner.
  return fd && ::flock(fd.get(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

Status JournalFile::append(std::string_view line, Durability durability) {
  const std::string text = std::string(line) + "\n";
  const ssize_t written = ::write(fd_.get(), text.data(), text.size());
  if (written != static_cast<ssize_t>(text.size())) {
    if (written >= 0) errno = ENOSPC;
    return journal_failure("writing", path_);
  }
  if (durability == Durability::synced && ::fdatasync(fd_.get()) != 0)
    return journal_failure("syncing", path_);
  return {};
}

Result<std::string> JournalFile::read() const {
  ASSIGN_OR_RETURN(std::string text, read_file(path_));
  text.resize(text.rfind('\n') + 1);
  return text;
}

Status JournalFile::remove() {
  if (::unlink(path_.c_str()) != 0 && errno != ENOENT) return journal_failure("removing", path_);
  fd_.reset();
  return {};
}

}  // namespace kilter::os
