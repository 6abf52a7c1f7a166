#pragma once

#include "base/result.h"
#include "project/repository.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// The lines along which a project's history is told.
namespace kilter::project {

struct LoggedCommit {
  std::string sha;
  std::string parent;     // the first; "" for a root
  std::int64_t time = 0;  // of the commit, seconds since 1970
  std::string subject;    // as its author wrote it
};

struct FirstParentLog {
  std::vector<LoggedCommit> commits;                      // each once, after its parent
  std::vector<std::pair<std::string, std::string>> tips;  // of the branches asked for: name and sha
};

// The first parents of `branch` or, where it is "", of the project's watched branches and of upstream's HEAD;
// and those of `commits` (shas, short ones too) that are in the mirror. One call of git log, whatever their
// number.
[[nodiscard]] Result<FirstParentLog> first_parent_log(const Repository& repository,
                                                      std::span<const std::string> commits,
                                                      const std::string& branch = "");
[[nodiscard]] std::vector<LoggedCommit> parse_first_parent_log(std::string_view text);

}  // namespace kilter::project
