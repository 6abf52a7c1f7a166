#pragma once

#include "base/result.h"
#include "project/repository.h"

#include <string>
#include <vector>

// The commits that a bisect is about.
namespace kilter::robot {

struct BisectCommit {
  model::Commit commit;
  std::size_t files = 0;  // that it changed, against its first parent
  double weight = 1;      // as a suspect: 0 when it changed no file, 10 when it touched a wanted path
};

// [0] is good, the last one bad; between them the first-parent history.
struct BisectRange {
  std::vector<BisectCommit> commits;

  [[nodiscard]] std::size_t last() const { return commits.size() - 1; }
  [[nodiscard]] const std::string& sha(std::size_t i) const { return commits[i].commit.sha; }
  [[nodiscard]] BisectRange part(std::size_t first, std::size_t upto) const;
};

struct RangeRequest {
  std::string good;
  std::string bad;
  std::vector<std::string> paths;  // prefixes of files whose commits are likelier culprits
};

// Usage errors: ends that are the same commit, the wrong way round, or unrelated; revisions with patches; a
// range in which no commit changes a file.
[[nodiscard]] Result<BisectRange> find_bisect_range(const project::Repository& repository,
                                                    const RangeRequest& request);

// The range of a branch that the merge `merge` brought in by its parent number `parent` (1 is the second):
// from where it left the first parent's history, or nullopt when it brought no commit.
[[nodiscard]] Result<std::optional<BisectRange>> branch_range(const project::Repository& repository,
                                                              const model::Commit& merge, std::size_t parent,
                                                              const std::vector<std::string>& paths);

}  // namespace kilter::robot
