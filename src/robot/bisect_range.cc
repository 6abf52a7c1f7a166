#include "robot/bisect_range.h"

#include "base/text.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

namespace kilter::robot {
namespace {

constexpr double kWantedPath = 10;
constexpr std::string_view kCommitMark = "\x01";

using FileLists = std::map<std::string, std::vector<std::string>>;

// What each commit of the range changed, in one call.
Result<FileLists> changed_files(const project::Repository& repository, const std::string& good,
                                const std::string& bad) {
  ASSIGN_OR_RETURN(const std::string text,
                   repository.git().output({"-c", "core.quotePath=false", "log", "--no-show-signature",
                                            "--first-parent", "-m", "--no-renames", "--name-only",
                                            "--format=%x01%H", bad, "^" + good, "--"}));
  FileLists files;
  std::vector<std::string>* current = nullptr;
  for (const std::string_view line : lines(text)) {
    if (line.starts_with(kCommitMark)) current = &files[std::string(line.substr(kCommitMark.size()))];
    if (line.starts_with(kCommitMark) || line.empty() || current == nullptr) continue;
    current->emplace_back(line);
  }
  return files;
}

double weight_of_files(const std::vector<std::string>& files, const std::vector<std::string>& paths) {
  if (files.empty()) return 0;
  const bool wanted = std::ranges::any_of(files, [&paths](const std::string& file) {
    return std::ranges::any_of(paths, [&file](const std::string& path) { return file.starts_with(path); });
  });
  return wanted ? kWantedPath : 1;
}

Result<BisectRange> range_between(const project::Repository& repository, const model::Commit& good,
                                  const std::string& bad, const std::vector<std::string>& paths) {
  ASSIGN_OR_RETURN(const std::vector<model::Commit> commits,
                   repository.range(good.sha, bad, project::Repository::Walk::first_parent));
  ASSIGN_OR_RETURN(const FileLists files, changed_files(repository, good.sha, bad));
  BisectRange range{.commits = {{.commit = good, .files = 0, .weight = 0}}};
  for (const model::Commit& commit : commits) {
    const auto changed = files.find(commit.sha);
    const std::vector<std::string> none;
    const std::vector<std::string>& list = changed == files.end() ? none : changed->second;
    range.commits.push_back({.commit = commit, .files = list.size(), .weight = weight_of_files(list, paths)});
  }
  return range;
}

Status refuse_patches(const model::Revision& revision) {
  if (revision.patches.empty()) return {};
  return usage_error(fmt::format("bisecting: '{}' is a commit with patches", printable(revision.spec)),
                     "a bisect is about commits; commit the patches to a branch first");
}

Status refuse_unrelated(const project::Repository& repository, const model::Revision& good,
                        const model::Revision& bad) {
  if (good.label == bad.label)
    return usage_error(
        fmt::format("bisecting: good '{}' and bad '{}' are the same commit {}", printable(good.spec),
                    printable(bad.spec), model::short_commit(good.label)),
        "a range needs two ends");
  const auto is_ancestor = [&repository](const std::string& old, const std::string& young) {
    const Result<os::ProcessResult> asked =
        repository.git().run({.args = {"merge-base", "--is-ancestor", old, young}});
    return asked && asked->ok();
  };
  if (is_ancestor(good.label, bad.label)) return {};
  if (is_ancestor(bad.label, good.label))
    return usage_error(fmt::format("bisecting: the ends are reversed: bad '{}' comes before good '{}'",
                                   printable(bad.spec), printable(good.spec)),
                       fmt::format("--good {} --bad {} (a change for the better is bisected so, too)",
                                   shell_quote(bad.spec), shell_quote(good.spec)));
  ASSIGN_OR_RETURN(const os::ProcessResult base,
                   repository.git().run({.args = {"merge-base", good.label, bad.label}}));
  const std::string common(trim(base.out));
  return usage_error(fmt::format("bisecting: good '{}' is no ancestor of bad '{}'", printable(good.spec),
                                 printable(bad.spec)),
                     common.empty()
                         ? "they have no commit in common"
                         : fmt::format("they are on different branches, which part at {}: --good {}",
                                       model::short_commit(common), model::short_commit(common)));
}

// The commit on the first-parent line of `bad` after which nothing of it is in `good`.
Result<std::string> fork_on_line(const project::Repository& repository, const std::string& good,
                                 const std::string& bad) {
  ASSIGN_OR_RETURN(const std::vector<model::Commit> commits,
                   repository.range(good, bad, project::Repository::Walk::first_parent));
  const bool rooted = commits.empty() || commits.front().parents.empty();
  return rooted ? good : commits.front().parents.front();
}

// A good end on a branch that was merged in later says nothing of the line it was merged into.
Status refuse_beside_line(const project::Repository& repository, const model::Revision& good,
                          const model::Revision& bad) {
  ASSIGN_OR_RETURN(const std::string fork, fork_on_line(repository, good.label, bad.label));
  if (fork == good.label) return {};
  return usage_error(
      fmt::format("bisecting: good '{}' is not on the first-parent line of bad '{}', but on a "
                  "branch that was merged into it",
                  printable(good.spec), printable(bad.spec)),
      fmt::format("the line left it at {}: --good {}", model::short_commit(fork), model::short_commit(fork)));
}

}  // namespace

BisectRange BisectRange::part(std::size_t first, std::size_t upto) const {
  const auto begin = commits.begin() + static_cast<std::ptrdiff_t>(first);
  return {.commits = {begin, commits.begin() + static_cast<std::ptrdiff_t>(upto) + 1}};
}

Result<BisectRange> find_bisect_range(const project::Repository& repository, const RangeRequest& request) {
  ASSIGN_OR_RETURN(const model::Revision good, repository.resolve(request.good));
  ASSIGN_OR_RETURN(const model::Revision bad, repository.resolve(request.bad));
  TRY(refuse_patches(good));
  TRY(refuse_patches(bad));
  TRY(refuse_unrelated(repository, good, bad));
  TRY(refuse_beside_line(repository, good, bad));
  ASSIGN_OR_RETURN(BisectRange range, range_between(repository, good.commit, bad.label, request.paths));
  if (std::ranges::all_of(range.commits, [](const BisectCommit& commit) { return commit.weight == 0; }))
    return usage_error(fmt::format("bisecting {}..{}: no commit of the range changes a file",
                                   printable(request.good), printable(request.bad)),
                       "both ends are the same sources");
  return range;
}

Result<std::optional<BisectRange>> branch_range(const project::Repository& repository,
                                                const model::Commit& merge, std::size_t parent,
                                                const std::vector<std::string>& paths) {
  ASSIGN_OR_RETURN(const os::ProcessResult base,
                   repository.git().run({.args = {"merge-base", merge.parents[0], merge.parents[parent]}}));
  const std::string fork(trim(base.out));
  if (fork.empty() || fork == merge.parents[parent]) return std::optional<BisectRange>();
  ASSIGN_OR_RETURN(const std::string on_line, fork_on_line(repository, fork, merge.parents[parent]));
  ASSIGN_OR_RETURN(const model::Commit good, repository.commit(on_line));
  ASSIGN_OR_RETURN(BisectRange range, range_between(repository, good, merge.parents[parent], paths));
  return range;
}

}  // namespace kilter::robot
