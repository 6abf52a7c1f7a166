#pragma once

#include "base/result.h"
#include "os/files.h"

#include <cstdint>
#include <string>
#include <vector>

namespace kilter::robot {

// One member of an archive: the bytes of `file`, or `text` where there is no file.
struct ArchiveMember {
  std::string name;  // path inside, relative
  os::Path file;
  std::string text;
  bool executable = false;
  std::string link;  // not empty: a symbolic link to this
};

// Writes a gzip-compressed tar, in one step: a failure leaves no file, and a file that is there already is an
// Error and stays. Members keep their order; all are dated `time` (seconds since 1970) and belong to nobody,
// so that equal materials make equal archives.
[[nodiscard]] Status write_archive(const os::Path& path, const std::vector<ArchiveMember>& members,
                                   std::int64_t time);

}  // namespace kilter::robot
