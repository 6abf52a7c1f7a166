#pragma once

#include "base/result.h"
#include "project/first_parent_log.h"
#include "robot/revisions.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace kilter::robot {

// The one line of first parents along which the measured commits of a project stand. Pure.
class CommitLine {
 public:
  CommitLine() = default;
  // The first branch with the most measured commits on its line; where a measured commit's own line has more
  // than twice as many, that one.
  CommitLine(project::FirstParentLog log, std::span<const std::string> measured);

  enum class Standing {
    on_line,
    beside,   // in the repository, but on another line
    patched,  // a commit with patches on top
    unknown,  // not in the repository, any more or at all
  };
  struct Spot {
    Standing standing = Standing::unknown;
    std::int64_t place = -1;  // counted from the line's root
    std::string subject;
  };
  // `label`: the commit axis of a run: a sha, sha+patch, or the first digits that a kernel tells.
  [[nodiscard]] Spot find(const std::string& label) const;
  // "main", or the first digits of the commit that the line leads to.
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] bool empty() const { return places_.empty(); }

 private:
  [[nodiscard]] const project::LoggedCommit* logged(const std::string& sha) const;
  [[nodiscard]] std::string tip_of_line(std::span<const std::string> measured,
                                        const std::unordered_map<std::string, std::size_t>& counts);
  [[nodiscard]] std::unordered_map<std::string, std::size_t> counts_along(
      std::span<const std::string> measured) const;

  std::string name_;
  project::FirstParentLog log_;  // by sha
  std::unordered_map<std::string, std::int64_t> places_;
};

// The lines of the projects, by name.
using CommitLines = std::map<std::string, CommitLine>;

// Of all projects of `revisions`, for the commits that were measured; along `branch` where it is given. A
// repository that cannot be read is left out, with a note; a branch that none knows is an Error.
[[nodiscard]] Result<CommitLines> commit_lines(const Revisions& revisions,
                                               std::span<const std::string> measured,
                                               const std::string& branch, std::vector<std::string>& notes);

}  // namespace kilter::robot
