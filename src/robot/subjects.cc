#include "robot/subjects.h"

#include "base/text.h"
#include "project/build.h"
#include "project/build_record.h"
#include "robot/revisions.h"

#include <fmt/core.h>

#include <algorithm>

namespace kilter::robot {
namespace {

constexpr std::uint64_t kKeptLog = std::uint64_t{1} << 20;  // of a failed build, with the run

Result<std::vector<model::Revision>> resolve_all(const project::Repository& repository,
                                                 const std::vector<std::string>& specs) {
  std::vector<model::Revision> revisions;
  for (const std::string& spec : specs) {
    ASSIGN_OR_RETURN(model::Revision revision, repository.resolve(spec));
    const auto same = std::ranges::find(revisions, revision.label, &model::Revision::label);
    if (same != revisions.end())
      return usage_error(fmt::format("choosing revisions: '{}' and '{}' are the same commit {}", same->spec,
                                     spec, model::short_commit(revision.label)));
    revisions.push_back(std::move(revision));
  }
  return revisions;
}

std::string built_text(const model::Revision& revision, const model::Build& build) {
  const std::string spec = revision.patches.empty() ? "" : printable(revision.spec) + ", ";
  return fmt::format("built {} ({}\"{}\") in {:.1f} s{}", model::short_commit(revision.label), spec,
                     revision.commit.subject, build.seconds, build.from_cache ? ", from the cache" : "");
}

void note_identical(const std::vector<Subject>& subjects, const BuildHooks& hooks) {
  for (std::size_t i = 1; i < subjects.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (subjects[i].build_id == subjects[j].build_id)
        hooks.note(fmt::format("{} and {} built to identical artefacts: a difference between them is noise",
                               model::short_commit(subjects[j].commit),
                               model::short_commit(subjects[i].commit)));
}

// A build that does not heed the linker's flags has one layout, however often it is built.
void note_same_layout(const project::Project& project, const std::vector<Subject>& subjects,
                      const BuildHooks& hooks) {
  if (project.layout.rebuilds < 2) return;
  for (const Subject& subject : subjects) {
    const bool same = std::ranges::all_of(subject.more_builds, [&](const BuildVariant& build) {
      return build.build_id == subject.more_builds.front().build_id;
    });
    if (same && subject.more_builds.size() > 1)
      hooks.note(
          fmt::format("{}: all layouts are the same bytes: its build heeds neither LDFLAGS nor "
                      "KILTER_LAYOUT_SEED",
                      model::short_commit(subject.commit)));
  }
}

Status keep_failure(Lab& lab, const Subject& subject, const project::BuildResult& result,
                    const std::vector<model::UnitJob>& jobs, const BuildHooks& hooks) {
  hooks.note(fmt::format("{}: build failed: {}\n{}\nlog: {}", model::short_commit(subject.commit),
                         result.reason, result.tail, result.build.log));
  const std::string log = os::read_tail(result.build.log, kKeptLog).value_or(result.tail);
  for (const model::UnitJob& job : jobs)
    TRY(record_failure(lab, {.job = job, .subject = subject, .plan = {}}, result.outcome, result.reason,
                       log));
  return {};
}

// The other layouts of all revisions that were built; one that does not link is a mistake of the project
// file.
Status build_layouts(project::Builder& builder, const project::Project& project,
                     const std::vector<model::Revision>& revisions, std::vector<Subject>& subjects,
                     const BuildHooks& hooks) {
  for (int layout = 1; layout < project.layout.rebuilds; ++layout) {
    for (Subject& subject : subjects) {
      const auto revision = std::ranges::find(revisions, subject.commit, &model::Revision::label);
      const project::BuildOptions options{
          .layout = layout, .progress = [&](const project::BuildProgress& now) {
            hooks.progress(fmt::format("building {} in layout {} of {}: {}", model::short_commit(now.label),
                                       layout + 1, project.layout.rebuilds, now.text));
          }};
      ASSIGN_OR_RETURN(const project::BuildResult result, builder.build(*revision, options));
      if (result.outcome != model::Outcome::ok) return fail(failed_layout(project, subject.commit, result));
      const Subject variant = built_subject(project, *revision, result.build);
      subject.more_builds.push_back({variant.build_id, variant.artefacts, variant.build_info});
    }
  }
  note_same_layout(project, subjects, hooks);
  return {};
}

// What is not built yet stands in a plan by its name.
Subject future_subject(const project::Project& project, const std::string& spec) {
  Subject subject{.commit = spec, .kconfig = project.name, .project = project.name};
  const std::string build = fmt::format("<build of {}>", printable(spec));
  for (const auto& [name, path] : project.artefacts)
    subject.artefacts["artefact:" + name] = build + "/" + path;
  subject.artefacts["build"] = build;
  return subject;
}

}  // namespace

Subject built_subject(const project::Project& project, const model::Revision& revision,
                      const model::Build& build) {
  Subject subject{
      .commit = revision.label, .kconfig = project.name, .project = project.name, .build_id = build.id};
  subject.subject_line = revision.commit.subject;
  if (revision.patches.empty() && !revision.label.starts_with(revision.spec)) subject.name = revision.spec;
  for (const auto& [name, path] : build.artefacts) subject.artefacts["artefact:" + name] = path;
  subject.artefacts["build"] = build.directory;
  subject.build_info = project::build_record_json(project, revision, build);
  return subject;
}

Error failed_layout(const project::Project& project, const std::string& commit,
                    const project::BuildResult& result) {
  return {
      .message = fmt::format("building {} in another layout: {}", model::short_commit(commit), result.reason),
      .hint = fmt::format("'layout' of {} needs {}; log: {}", project.file.string(),
                          project::layout_tool(project.layout), result.build.log)};
}

std::vector<Subject> ProjectChoice::future_subjects() const {
  std::vector<Subject> subjects;
  for (const std::string& spec : revisions)
    if (project) subjects.push_back(future_subject(*project, spec));
  return subjects;
}

std::vector<std::pair<std::string, std::string>> ProjectChoice::suites() const {
  if (!project || project->benchmark.empty()) return {};
  return {{project->file.string(), project->benchmark}};
}

std::vector<std::string> ProjectChoice::jobs() const {
  return project ? project->jobs : std::vector<std::string>{};
}

Result<ProjectChoice> choose_project(const os::Path& home, const std::string& name,
                                     const std::vector<std::string>& revisions) {
  ProjectChoice choice;
  if (name.empty()) {
    if (revisions.empty()) return choice;
    return usage_error(fmt::format("choosing revision '{}': of which project?", printable(revisions[0])),
                       "add --project NAME_OR_FILE");
  }
  ASSIGN_OR_RETURN(choice.project, open_project(home, name));
  choice.revisions = revisions.empty() ? std::vector<std::string>{"HEAD"} : revisions;
  return choice;
}

Result<std::vector<model::UnitJob>> benchmark_jobs(const Lab& lab, const project::Project& project,
                                                   const job::ExpandOptions& options) {
  for (const std::string& name : lab.catalogue.names()) {
    const suite::Suite* suite = lab.catalogue.find(name);
    if (suite == nullptr || suite->file != project.file.string()) continue;
    const std::string path = name + ".yaml";
    const std::string text =
        fmt::format("suite: {0}\ntestcase: {0}\ncategory: benchmark\n{1}:\n", name, suite->program);
    const job::FileReader below = job_reader(lab.world.home, lab.box);
    const job::FileReader read = [&](const std::string& file) {
      return file == path ? std::optional<std::string>(text) : below(file);
    };
    return job::load_jobs(path, read, options);
  }
  return failure(fmt::format("project '{}': its benchmark is no suite", project.name));
}

Result<std::vector<Subject>> build_subjects(Lab& lab, const ProjectChoice& choice,
                                            const std::vector<model::UnitJob>& jobs,
                                            const BuildHooks& hooks) {
  hooks.progress(fmt::format("fetching {}", choice.project->url));
  ASSIGN_OR_RETURN(const project::Repository repository,
                   project::Repository::open(*choice.project, lab.world.home, lab.world.runner));
  TRY(remember_project(lab.world.home, *choice.project));
  ASSIGN_OR_RETURN(const std::vector<model::Revision> revisions, resolve_all(repository, choice.revisions));
  ASSIGN_OR_RETURN(project::Builder builder,
                   project::Builder::create(repository, lab.world.home, lab.world.runner));
  const project::BuildOptions options{.progress = [&hooks](const project::BuildProgress& progress) {
    hooks.progress(fmt::format("building {}: {}", model::short_commit(progress.label), progress.text));
  }};
  ASSIGN_OR_RETURN(const std::vector<project::BuildResult> results, builder.build_all(revisions, options));
  std::vector<Subject> subjects;
  for (std::size_t i = 0; i < results.size(); ++i) {
    Subject subject = built_subject(*choice.project, revisions[i], results[i].build);
    if (results[i].outcome != model::Outcome::ok) {
      TRY(keep_failure(lab, subject, results[i], jobs, hooks));
      continue;
    }
    hooks.note(built_text(revisions[i], results[i].build));
    subjects.push_back(std::move(subject));
  }
  note_identical(subjects, hooks);
  TRY(build_layouts(builder, *choice.project, revisions, subjects, hooks));
  return subjects;
}

}  // namespace kilter::robot
