#pragma once

#include "base/result.h"
#include "project/construction.h"
#include "project/project.h"
#include "project/repository.h"
#include "robot/measure.h"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// Revisions of a project -> built subjects, ready to be measured.
namespace kilter::robot {

// What `--project P --rev A --rev B` means.
struct ProjectChoice {
  std::optional<project::Project> project;  // nullopt: this machine as it is
  std::vector<std::string> revisions;       // as typed; empty with a project: HEAD

  // The project's own benchmark as a suite file, if it has one: path and text.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> suites() const;
  [[nodiscard]] std::vector<std::string> jobs() const;
  // The revisions as typed, their artefacts by placeholders: for plans before anything is built.
  [[nodiscard]] std::vector<Subject> future_subjects() const;
};

[[nodiscard]] Result<ProjectChoice> choose_project(const os::Path& home, const std::string& name,
                                                   const std::vector<std::string>& revisions);

// The unit job of a project without job files: its benchmark with the defaults of its parameters.
[[nodiscard]] Result<std::vector<model::UnitJob>> benchmark_jobs(const Lab& lab,
                                                                 const project::Project& project,
                                                                 const job::ExpandOptions& options);

// What is measured of a build of `revision`; of a failed one, what its run is kept under.
[[nodiscard]] Subject built_subject(const project::Project& project, const model::Revision& revision,
                                    const model::Build& build);

// Why another layout of a revision that builds cannot be had.
[[nodiscard]] Error failed_layout(const project::Project& project, const std::string& commit,
                                  const project::BuildResult& result);

struct BuildHooks {
  std::function<void(const std::string&)> progress;  // may be replaced by the next
  std::function<void(const std::string&)> note;      // stays
};

// Resolves and builds all revisions before anything is measured. One that does not build is noted with its
// log's tail, recorded as a build-failed run of every job, and left out of the answer.
[[nodiscard]] Result<std::vector<Subject>> build_subjects(Lab& lab, const ProjectChoice& choice,
                                                          const std::vector<model::UnitJob>& jobs,
                                                          const BuildHooks& hooks);

}  // namespace kilter::robot
