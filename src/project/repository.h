#pragma once

#include "model/project.h"
#include "project/git.h"
#include "project/project.h"

#include <string>
#include <vector>

// A project's git repository, by way of a bare mirror in <home>/git/<name>.
namespace kilter::project {

enum class Refresh { fetch, offline };

// "https://user:secret@host/x" -> "https://host/x", for whatever others will read; made printable.
[[nodiscard]] std::string without_password(const std::string& url);

class Repository {
 public:
  // Makes the mirror, or brings it up to date. When upstream cannot be reached an older mirror serves on,
  // with a warning; without one it is an Error. Two kilters at once wait for each other. `runner` must live
  // longer.
  [[nodiscard]] static Result<Repository> open(const Project& project, const os::Path& home,
                                               os::ProcessRunner& runner, Refresh refresh = Refresh::fetch);

  // A sha, short sha, tag, branch, HEAD~3, or one of these with patches: "main+FIX.patch+MORE.patch"; a full
  // sha that is on no branch is asked for upstream; patch files are looked for from `cwd` (empty: the
  // caller's). The label is the sha, with "+" and 10 hex digits of the patches' hash when there are any.
  [[nodiscard]] Result<model::Revision> resolve(const std::string& spec, const os::Path& cwd = {}) const;
  [[nodiscard]] Result<model::Commit> commit(const std::string& revision) const;
  // The commits that `bad` has and `good` has not, oldest first, `bad` last; `branch` is left empty. An Error
  // when `good` is no ancestor of `bad`. With `first_parent` merges count as one commit.
  enum class Walk { all, first_parent };
  [[nodiscard]] Result<std::vector<model::Commit>> range(const std::string& good, const std::string& bad,
                                                         Walk walk = Walk::all) const;
  // Its branches and tags.
  [[nodiscard]] std::vector<std::string> names() const;
  // A tag on exactly this commit (the one that sorts last by version), or "".
  [[nodiscard]] std::string tag_of(const std::string& sha) const;
  // The project's watched branches in their order, then upstream's HEAD, main and master, then the others by
  // name.
  [[nodiscard]] Result<std::vector<std::string>> branches_containing(const std::string& sha) const;
  // The sha of the tree: equal trees are equal sources.
  [[nodiscard]] Result<std::string> tree_of(const std::string& sha) const;
  // The change of one commit as a patch, at most 1 MiB of it.
  [[nodiscard]] Result<std::string> diff_of(const std::string& sha) const;

  [[nodiscard]] const Git& git() const { return git_; }
  [[nodiscard]] const Project& project() const { return project_; }
  // False when upstream could not be reached (a warning was given) or was not asked.
  [[nodiscard]] bool fresh() const { return fresh_; }

 private:
  Repository(Project project, Git git) : project_(std::move(project)), git_(std::move(git)) {}
  [[nodiscard]] Status clone(os::ProcessRunner& runner, const os::Path& home) const;
  [[nodiscard]] Status fetch(const Git& git) const;
  [[nodiscard]] Status set_head(const Git& git, const std::string& remote) const;
  [[nodiscard]] Status refuse_ambiguous(const std::string& revision) const;
  [[nodiscard]] Result<std::string> sha_of(const std::string& revision) const;
  [[nodiscard]] bool fetch_commit(const std::string& sha) const;
  [[nodiscard]] Error unknown(const std::string& revision) const;

  Project project_;
  Git git_;
  bool fresh_ = false;
};

}  // namespace kilter::project
