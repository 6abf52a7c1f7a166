#pragma once

#include "base/result.h"
#include "os/clock.h"
#include "os/files.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace kilter::execute {

// The workload's log in a run directory: what its commands print (they append to the file themselves),
// between the commands as LKP logs them: "2026-11-30 12:14:05 stress-ng --sem 2".
class RunLog {
 public:
  RunLog(os::Path path, os::Clock& clock) : path_(std::move(path)), clock_(clock) {}

  [[nodiscard]] const os::Path& path() const { return path_; }
  Status line(std::string_view text);
  // The same command, once for each copy.
  Status commands(std::string_view text, int copies);
  // Appends the file `part` and removes it.
  Status take(const os::Path& part);
  // The last line with something on it that a command printed, made printable and short; "" when there is
  // none. Advice after an error ("hint: ...", "Try 'x --help'") is passed over.
  [[nodiscard]] std::string last_words() const;

 private:
  os::Path path_;
  os::Clock& clock_;
  std::uint64_t own_end_ = 0;  // where the last line of ours ended
};

}  // namespace kilter::execute
