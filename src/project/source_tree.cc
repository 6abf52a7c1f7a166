#include "project/source_tree.h"

#include "base/text.h"

#include <fmt/core.h>

namespace kilter::project {
namespace {

constexpr double kExportTimeout = 600;

// "patch failed: src/a.c:12" -> "src/a.c:12"; else git's first complaint.
std::string failed_hunk(const std::string& err) {
  constexpr std::string_view kMark = "patch failed: ";
  for (const std::string_view line : lines(err)) {
    const std::size_t at = line.find(kMark);
    if (at != std::string_view::npos)
      return fmt::format("the hunk at {} does not match", printable(line.substr(at + kMark.size())));
  }
  return git_complaint(err);
}

Status apply(const Git& git, const model::Revision& revision, const std::string& patch,
             const std::map<std::string, std::string>& env) {
  ASSIGN_OR_RETURN(
      const os::ProcessResult result,
      git.run(
          {.args = {"apply", "--cached", "--whitespace=nowarn", "--", patch}, .env = env, .timeout = 120}));
  if (result.ok()) return {};
  return usage_error(fmt::format("applying patch '{}' to {}: {}", printable(patch),
                                 revision.commit.sha.substr(0, 12), failed_hunk(result.err)),
                     "rebase the patch onto that revision");
}

}  // namespace

Result<std::string> source_tree(const Repository& repository, const model::Revision& revision,
                                const os::Path& scratch) {
  if (revision.patches.empty()) return repository.tree_of(revision.commit.sha);
  const Git& git = repository.git();
  ASSIGN_OR_RETURN(const os::TempDir directory, os::TempDir::create(scratch, "index"));
  const std::map<std::string, std::string> env = {{"GIT_INDEX_FILE", (directory.path() / "index").string()}};
  TRY(git.output(Git::Call{.args = {"read-tree", revision.commit.sha}, .env = env}));
  for (const std::string& patch : revision.patches) TRY(apply(git, revision, patch, env));
  ASSIGN_OR_RETURN(const std::string tree, git.output(Git::Call{.args = {"write-tree"}, .env = env}));
  return std::string(trim(tree));
}

Status export_tree(const Git& git, const std::string& tree, const os::Path& target, const os::Path& scratch) {
  ASSIGN_OR_RETURN(const os::TempDir directory, os::TempDir::create(scratch, "index"));
  const std::map<std::string, std::string> env = {{"GIT_INDEX_FILE", (directory.path() / "index").string()},
                                                  {"GIT_WORK_TREE", target.string()}};
  TRY(git.output(Git::Call{.args = {"read-tree", tree}, .env = env, .timeout = kExportTimeout}));
  TRY(git.output(Git::Call{.args = {"checkout-index", "--all", "--force", "--quiet"},
                           .env = env,
                           .cwd = target,
                           .timeout = kExportTimeout}));
  return {};
}

}  // namespace kilter::project
