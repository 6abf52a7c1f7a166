#pragma once

#include "base/result.h"
#include "os/files.h"

#include <string>
#include <vector>

namespace kilter::robot {

// One member of an archive: the bytes of `file`, or `text` where there is no file.
struct ArchiveMember {
  std::string name;  // path inside, relative
  os::Path file;
  std::string text;
  bool executable = false;
};

// Writes a gzip-compressed tar, in one step: a failure leaves no file. Members keep their order; times and
// owners are left out, so that equal materials make equal archives.
[[nodiscard]] Status write_archive(const os::Path& path, const std::vector<ArchiveMember>& members);

}  // namespace kilter::robot
