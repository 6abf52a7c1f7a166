#pragma once

#include "base/result.h"
#include "project/project.h"
#include "project/repository.h"
#include "robot/project_commit.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

// Revisions as people type them, looked up in the projects that were measured in this state folder.
namespace kilter::robot {

// Keeps the place of a project file as <home>/projects/<name>.yaml (a link), so that later verbs know its
// revisions.
[[nodiscard]] Status remember_project(const os::Path& home, const project::Project& project);

// A project by file, by name, or by the name it was remembered under.
[[nodiscard]] Result<project::Project> open_project(const os::Path& home, const std::string& name);
// The remembered projects' own benchmarks, as suite files.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> project_suites(const os::Path& home);

struct FoundCommit {
  model::Commit commit;
  const project::Repository* repository = nullptr;
};

class Revisions {
 public:
  // All remembered projects, or the one named, which is brought up to date where it builds nothing: a tree of
  // kernels that are built elsewhere. A project whose mirror cannot be read is left out, with a line
  // in `notes`; when it was asked for by name that is an Error.
  [[nodiscard]] static Result<Revisions> open(const os::Path& home, const std::string& project,
                                              os::ProcessRunner& runner, std::vector<std::string>& notes);
  // "HEAD~3", "v1.2" -> the commits its runs are stored under, one for each project that knows it.
  [[nodiscard]] std::vector<ProjectCommit> resolve(const std::string& spec) const;
  // The branches and tags of the projects.
  [[nodiscard]] std::vector<std::string> names() const;
  // The commit behind a stored label (a sha, sha+patch, or the first digits that a kernel tells), as
  // `project` has it where several have it.
  [[nodiscard]] std::optional<FoundCommit> find(const std::string& label,
                                                const std::string& project = "") const;
  [[nodiscard]] std::string subject_of(const std::string& label) const;
  // These commits, oldest first, by their dates; nullopt when no project has all of them.
  [[nodiscard]] std::optional<std::vector<std::string>> in_order(
      const std::vector<std::string>& commits) const;
  // The name of the project that was asked for; "" when these are all of them.
  [[nodiscard]] const std::string& project() const { return project_; }
  [[nodiscard]] std::span<const project::Repository> repositories() const { return repositories_; }

 private:
  std::string project_;
  std::vector<project::Repository> repositories_;
};

}  // namespace kilter::robot
