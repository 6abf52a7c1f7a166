#include "robot/commit_runner.h"

#include "base/text.h"

#include <fmt/core.h>

namespace kilter::robot {
namespace {

constexpr std::uint64_t kKeptBuildLog = std::uint64_t{1} << 20;
constexpr int kMostEnvPadding = 4096;  // a page: where the stack begins

model::Revision revision_of(const model::Commit& commit) {
  return {.spec = commit.sha, .label = commit.sha, .commit = commit, .patches = {}};
}

}  // namespace

CommitRunner::CommitRunner(Lab& lab, const project::Repository& repository, const model::UnitJob& job,
                           const CommitRunnerOptions& options, project::Builder builder)
    : lab_(lab),
      repository_(repository),
      job_(job),
      options_(options),
      builder_(std::move(builder)),
      random_(std::hash<std::string>()(lab.session)) {}

Result<std::unique_ptr<CommitRunner>> CommitRunner::create(Lab& lab, const project::Repository& repository,
                                                           const model::UnitJob& job,
                                                           const CommitRunnerOptions& options) {
  ASSIGN_OR_RETURN(project::Builder builder,
                   project::Builder::create(repository, lab.world.home, lab.world.runner));
  return std::unique_ptr<CommitRunner>(new CommitRunner(lab, repository, job, options, std::move(builder)));
}

Status CommitRunner::run(const model::Commit& commit, BisectBook& book) {
  const int layout =
      static_cast<int>(book.page(commit.sha).runs.size()) % repository_.project().layout.rebuilds;
  const std::pair<std::string, int> key{commit.sha, layout};
  const bool fresh = !subjects_.contains(key);
  if (fresh) TRY(build(commit, layout, book));
  const auto subject = subjects_.find(key);
  if (subject == subjects_.end()) return {};
  if (fresh && book.run_seconds().value_or(0) < options_.warm_up_below) {
    doing("warming up");
    TRY(measure_once(subject->second, true));
  }
  doing("measuring");
  ASSIGN_OR_RETURN(const Measured measured, measure_once(subject->second, false));
  book.add(measured.record, measured.metrics);
  return {};
}

Status CommitRunner::build(const model::Commit& commit, int layout, BisectBook& book) {
  doing("building");
  const project::BuildOptions options{
      .timeout = options_.build_timeout,
      .layout = layout,
      .progress = [this](const project::BuildProgress& progress) { doing("building: " + progress.text); }};
  const Result<project::BuildResult> result = builder_.build(revision_of(commit), options);
  if (!result && result.error().code != ErrorCode::interrupted && is_gone(commit)) {
    book.give_up(commit.sha, "it is no longer in the repository: the history was rewritten");
    return {};
  }
  if (!result) return fail(result.error());
  if (result->outcome != model::Outcome::ok && layout == 0) return keep_failed_build(commit, *result, book);
  if (result->outcome != model::Outcome::ok)
    return fail(failed_layout(repository_.project(), commit.sha, *result));
  subjects_.emplace(std::pair(commit.sha, layout),
                    built_subject(repository_.project(), revision_of(commit), result->build));
  book.add_build(commit.sha, result->build.id, result->build.seconds, result->build.from_cache);
  return {};
}

Status CommitRunner::keep_failed_build(const model::Commit& commit, const project::BuildResult& result,
                                       BisectBook& book) {
  const Subject subject = built_subject(repository_.project(), revision_of(commit), result.build);
  const std::string log = os::read_tail(result.build.log, kKeptBuildLog).value_or(result.tail);
  ASSIGN_OR_RETURN(const model::RunRecord record,
                   record_failure(lab_, {.job = job_, .subject = subject, .plan = {}}, result.outcome,
                                  result.reason, log));
  book.add(record, {});
  return {};
}

Result<Measured> CommitRunner::measure_once(const Subject& subject, bool warm_up) {
  Measurement measurement{.job = job_,
                          .subject = subject,
                          .plan = {.monitors = options_.monitors, .artefacts = subject.artefacts},
                          .block = 0,
                          .place = place_,
                          .time_limit = options_.time_limit,
                          .warm_up = warm_up};
  measurement.plan.env_padding = std::uniform_int_distribution<int>(0, kMostEnvPadding)(random_);
  if (!warm_up) ++place_;
  return measure(lab_, measurement);
}

bool CommitRunner::is_gone(const model::Commit& commit) const {
  const Result<os::ProcessResult> asked =
      repository_.git().run({.args = {"cat-file", "-e", commit.sha + "^{commit}"}});
  return asked && !asked->ok();
}

}  // namespace kilter::robot
