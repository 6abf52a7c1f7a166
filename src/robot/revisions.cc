#include "robot/revisions.h"

#include "base/text.h"
#include "robot/kernel.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <system_error>

namespace kilter::robot {
namespace {

namespace fs = std::filesystem;

// Relative paths in a project file are relative to where it really stands.
os::Path real_path(const os::Path& path) {
  std::error_code error;
  const os::Path real = fs::canonical(path, error);
  return error ? path : real;
}

Result<project::Repository> open_one(const os::Path& home, const std::string& name, os::ProcessRunner& runner,
                                     bool named) {
  ASSIGN_OR_RETURN(const project::Project project, open_project(home, name));
  const bool builds = !project.build.template_name.empty() || !project.build.steps.empty();
  return project::Repository::open(project, home, runner,
                                   builds || !named ? project::Refresh::offline : project::Refresh::fetch);
}

}  // namespace

Result<project::Project> open_project(const os::Path& home, const std::string& name) {
  const os::Path remembered = home / "projects" / (name + ".yaml");
  const std::string where = os::is_there(remembered) ? real_path(remembered).string() : name;
  return project::find_project(home, fs::current_path(), where);
}

Status remember_project(const os::Path& home, const project::Project& project) {
  const os::Path link = home / "projects" / (project.name + ".yaml");
  std::error_code ignored;
  const bool ours = fs::is_symlink(link, ignored) || !os::is_there(link);
  if (!ours || real_path(link) == real_path(project.file)) return {};
  TRY(os::make_directories(link.parent_path()));
  return os::replace_symlink(real_path(project.file), link);
}

std::vector<std::pair<std::string, std::string>> project_suites(const os::Path& home) {
  std::vector<std::pair<std::string, std::string>> suites;
  for (const std::string& name : project::project_names(home, fs::current_path()))
    if (const Result<project::Project> project = open_project(home, name);
        project && !project->benchmark.empty())
      suites.emplace_back(project->file.string(), project->benchmark);
  return suites;
}

Result<Revisions> Revisions::open(const os::Path& home, const std::string& project, os::ProcessRunner& runner,
                                  std::vector<std::string>& notes) {
  Revisions revisions;
  const std::vector<std::string> names =
      project.empty() ? project::project_names(home, fs::current_path()) : std::vector<std::string>{project};
  for (const std::string& name : names) {
    Result<project::Repository> repository = open_one(home, name, runner, !project.empty());
    if (repository) {
      if (!project.empty()) revisions.project_ = repository->project().name;
      revisions.repositories_.push_back(std::move(*repository));
    } else if (!project.empty()) {
      return fail(repository.error());
    } else {
      notes.push_back(repository.error().message);
    }
  }
  return revisions;
}

std::vector<ProjectCommit> Revisions::resolve(const std::string& spec) const {
  std::vector<ProjectCommit> found;
  for (const project::Repository& repository : repositories_)
    if (const Result<model::Revision> revision = repository.resolve(spec))
      found.push_back({.project = repository.project().name, .commit = revision->label});
  return found;
}

std::vector<std::string> Revisions::names() const {
  std::vector<std::string> all;
  for (const project::Repository& repository : repositories_)
    std::ranges::move(repository.names(), std::back_inserter(all));
  return all;
}

std::optional<FoundCommit> Revisions::find(const std::string& label, const std::string& project) const {
  const std::string sha = label.substr(0, label.find('+'));
  if (!is_full_sha(sha) && !is_short_sha(sha)) return std::nullopt;
  std::optional<FoundCommit> found;
  for (const project::Repository& repository : repositories_) {
    const bool better = !found || repository.project().name == project;
    if (!better) continue;
    if (Result<model::Commit> commit = repository.commit(sha))
      found = FoundCommit{std::move(*commit), &repository};
  }
  return found;
}

std::string Revisions::subject_of(const std::string& label) const {
  const std::optional<FoundCommit> found = find(label);
  return found ? found->commit.subject : "";
}

std::optional<std::vector<std::string>> Revisions::in_order(const std::vector<std::string>& commits) const {
  if (!std::ranges::all_of(commits, is_full_sha)) return std::nullopt;
  std::vector<std::string> args = {"rev-list", "--no-walk=sorted", "--reverse", "--ignore-missing"};
  args.insert(args.end(), commits.begin(), commits.end());
  for (const project::Repository& repository : repositories_) {
    const Result<std::string> listed = repository.git().output(args);
    if (!listed) continue;
    std::vector<std::string> sorted;
    for (const std::string_view line : lines(*listed)) sorted.emplace_back(line);
    if (sorted.size() == commits.size()) return sorted;
  }
  return std::nullopt;
}

}  // namespace kilter::robot
