#pragma once

#include "os/fd.h"
#include "os/files.h"

#include <optional>
#include <string>
#include <string_view>

// A file of lines that belongs to one living process: it is locked as long as the process lives, so another
// one can tell a journal in use from one that was left behind by a crash.
namespace kilter::os {

class JournalFile {
 public:
  // Makes and locks a new file; never one that is there.
  [[nodiscard]] static Result<JournalFile> create(const Path& path);
  // Takes over a file whose owner is dead; nullopt when the owner lives or the file is gone.
  [[nodiscard]] static std::optional<JournalFile> take_over(const Path& path);

  // Its owner lives.
  [[nodiscard]] static bool in_use(const Path& path);

  // Adds `line` and a newline in one write; `synced` returns when it is on the disk.
  Status append(std::string_view line, Durability durability);
  // All whole lines; a last line cut by a crash is left out.
  [[nodiscard]] Result<std::string> read() const;
  // Deletes the file and gives up the lock.
  Status remove();
  [[nodiscard]] const Path& path() const { return path_; }

 private:
  JournalFile(Path path, Fd fd) : path_(std::move(path)), fd_(std::move(fd)) {}

  Path path_;
  Fd fd_;
};

}  // namespace kilter::os
