#include "analyse/looks.h"
#include "base/log.h"
#include "base/text.h"
#include "cli/job_loading.h"
#include "cli/progress.h"
#include "cli/quantity_flags.h"
#include "cli/verbs.h"
#include "robot/durable_campaign.h"
#include "robot/fitness.h"
#include "robot/subjects.h"
#include "robot/summary.h"
#include "suite/metric_info.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <set>

namespace kilter::cli {
namespace {

constexpr int kMostRuns = 100000;
constexpr int kNoRuns = std::numeric_limits<int>::min();  // --runs was not given

class Run final : public Verb {
 public:
  void declare(Flags& flags) override {
    flags
        .positional(
            "JOB", jobs_,
            "Job files, or names of built-in jobs; words KEY=VALUE are overrides; a project brings its own",
            false)
        .rest("CMD..", command_, "The command that replaces the job's own (suite mytest)")
        .option("-n,--runs", "N", runs_,
                "Runs of each unit job and revision (default 1; with --budget at most)")
        .option("-s,--set", "'K: V'", overrides_, "Override a key of the job; may be repeated")
        .option("-p,--project", "P", project_, "Measure a project: a name or a project file")
        .option("--rev", "R", revisions_,
                "A revision of it: sha, tag, branch, HEAD~3, R+FIX.patch; repeat to compare")
        .option("--kernel-name", "NAME", kernel_name_,
                "What the running kernel is called (default: its commit or release)")
        .option("--budget", "T", budget_,
                "Runs of two or more revisions until it is known which differ (20m)")
        .option("--delta", "D", delta_, "The least change that counts, of --budget (default 1%)")
        .option("--alpha", "A", alpha_, "False alarms, of --budget (default 1%)")
        .option("--metric", "M", metric_, "What --budget is about (default: the headline)")
        .option("--warm-ups", "N", warm_ups_, "First runs of each build that do not count")
        .option("--fresh", fresh_, "Do not go on with an interrupted campaign of the same")
        .option("--time-limit", "T", time_limit_, "End a benchmark after this long (300s, 5m)")
        .option("-o,--link", "LINK", link_, "Make LINK point to the last result directory")
        .option("--no-monitors", no_monitors_, "Only the benchmark and its times")
        .option("--dry-run", dry_run_,
                "Print unit jobs, steps, builds and the estimated time, and do nothing")
        .choice("--format", format_, {"text", "json"}, "Form of the summary");
  }

  Result<int> run(World& world) override {
    TRY(check());
    if (!dry_run_) TRY(make_home(world.home));
    if (!dry_run_ && !link_.empty()) TRY(os::can_replace_symlink(link_));
    ASSIGN_OR_RETURN(robot::ProjectChoice choice, robot::choose_project(world.home, project_, revisions_));
    ASSIGN_OR_RETURN(robot::Lab lab, open(world, choice));
    ASSIGN_OR_RETURN(robot::CampaignRequest request, load(lab, choice));
    if (dry_run_) return print_plan(world, lab, request);
    ASSIGN_OR_RETURN(request.subjects, prepare(world, lab, choice, request));
    if (request.subjects.empty())
      return failure("running: no revision could be built; the failures above are kept");
    return measure_all(world, lab, request);
  }

 private:
  Status check() {
    if (runs_given() && (runs_ < 1 || runs_ > kMostRuns))
      return usage_error(fmt::format("run: --runs {} is not from 1 to {}", runs_, kMostRuns));
    if (!kernel_name_.empty()) TRY(check_kernel_name());
    TRY(check_question());
    if (time_limit_.empty()) return {};
    ASSIGN_OR_RETURN(limit_seconds_, parse_duration_flag("run: --time-limit", time_limit_));
    return {};
  }

  Status check_question() {
    if (warm_ups_ < -1 || warm_ups_ > 1000)
      return usage_error(fmt::format("run: --warm-ups {} is not from 0 to 1000", warm_ups_));
    if (budget_.empty() && delta_.empty() && alpha_.empty() && metric_.empty()) return {};
    if (revisions_.size() < 2)
      return usage_error("run: --budget, --delta, --alpha and --metric compare revisions",
                         "kilter run -p lib --rev v1.0 --rev main --budget 20m");
    question_.emplace();
    question_->metric = metric_;
    if (!budget_.empty()) {
      ASSIGN_OR_RETURN(question_->budget, parse_duration_flag("run: --budget", budget_));
    }
    if (!delta_.empty()) {
      ASSIGN_OR_RETURN(question_->delta, parse_share_flag("run: --delta", delta_, {1e-6, 10}));
    }
    if (!alpha_.empty()) {
      ASSIGN_OR_RETURN(question_->alpha, parse_share_flag("run: --alpha", alpha_, {1e-9, .5}));
    }
    return {};
  }

  [[nodiscard]] Status check_kernel_name() const {
    constexpr std::size_t kLongest = 100;
    if (!project_.empty())
      return usage_error("run: --kernel-name is for runs without a project",
                         "a project's revisions have their own names: --rev");
    if (kernel_name_.size() > kLongest || kernel_name_.front() == '-' ||
        kernel_name_.find_first_of("/= \t") != std::string::npos || printable(kernel_name_) != kernel_name_)
      return usage_error(fmt::format("run: --kernel-name '{}' is no name", printable(kernel_name_)),
                         "a word without '/' and '=', as compare takes it: with-patch");
    return {};
  }

  [[nodiscard]] bool runs_given() const { return runs_ != kNoRuns; }

  [[nodiscard]] Status check_metric(const robot::Lab& lab, const model::UnitJob& job) {
    if (!question_ || !suite::headline_key(lab.catalogue, job.program).empty()) return {};
    if (!metric_.empty()) return {};
    return usage_error(fmt::format("run: which metric of '{}'? Its suite names no headline", job.program),
                       "--metric NAME, as compare prints it");
  }

  Result<robot::Lab> open(World& world, const robot::ProjectChoice& choice) const {
    if (dry_run_) return robot::open_dry_lab(robot_world(world), choice.suites());
    std::vector<std::string> notes;
    ASSIGN_OR_RETURN(robot::Lab lab, robot::open_lab(robot_world(world), choice.suites(), notes));
    for (const std::string& note : notes) log::note(note);
    return lab;
  }

  Result<robot::CampaignRequest> load(const robot::Lab& lab, const robot::ProjectChoice& choice) {
    robot::CampaignRequest request;
    const JobWords words{jobs_, overrides_, revisions_, &lab.catalogue};
    ASSIGN_OR_RETURN(std::vector<model::UnitJob> unit_jobs,
                     load_unit_jobs(lab, choice, words, !command_.empty()));
    for (model::UnitJob& job : unit_jobs)
      request.jobs.push_back(command_.empty() ? std::move(job)
                                              : robot::with_command(std::move(job), command_));
    for (const model::UnitJob& job : request.jobs)
      for (const std::string& warning : job.warnings) log::warn(warning);
    request.runs = question_ && !runs_given() ? static_cast<int>(analyse::kLooks.back()) : std::max(1, runs_);
    request.question = question_;
    request.randomised = choice.revisions.size() > 1;
    request.warm_ups = warm_ups_ >= 0 ? warm_ups_ : request.randomised ? 1 : 0;
    for (const model::UnitJob& job : request.jobs) TRY(check_metric(lab, job));
    request.time_limit = limit_seconds_;
    request.plan = {.monitors = !no_monitors_, .command = command_};
    if (!choice.project) request.plan.directory = std::filesystem::current_path().string();
    request.subjects = choice.project ? choice.future_subjects() : local_subjects(lab);
    TRY(check_jobs(lab, request));
    return request;
  }

  [[nodiscard]] std::vector<robot::Subject> local_subjects(const robot::Lab& lab) const {
    JobWords words{jobs_, overrides_, revisions_};
    move_overrides(words);
    return {robot::local_subject(lab, kernel_name_, told_axes(words))};
  }

  // What cannot run here, or is wrong, is told before anything is built.
  static Status check_jobs(const robot::Lab& lab, robot::CampaignRequest& request) {
    std::vector<std::string> notes;
    Status status = robot::leave_out_unfit(lab, request.jobs, notes);
    for (const std::string& note : notes) log::note(note);
    TRY(status);
    std::vector<std::string> warnings;
    robot::PlanOptions options = request.plan;
    options.artefacts = request.subjects.front().artefacts;
    status = robot::check_plans(lab, options, request.jobs, warnings);
    for (const std::string& warning : warnings) log::warn(warning);
    return status;
  }

  Result<int> print_plan(World& world, const robot::Lab& lab, const robot::CampaignRequest& request) const {
    ASSIGN_OR_RETURN(const std::string text,
                     format_ == "json" ? robot::plan_json(lab, request) : robot::plan_text(lab, request));
    TRY(world.print(text));
    return 0;
  }

  static Result<std::vector<robot::Subject>> prepare(World& world, robot::Lab& lab,
                                                     const robot::ProjectChoice& choice,
                                                     const robot::CampaignRequest& request) {
    if (!choice.project) {
      if (const std::string note = robot::other_kernel_note(lab, request.subjects.front()); !note.empty())
        log::note(note);
      return request.subjects;
    }
    Progress line(world);
    const robot::BuildHooks hooks{.progress = [&line](const std::string& text) { line.show(text); },
                                  .note = [&line](const std::string& text) { line.keep(text); }};
    return robot::build_subjects(lab, choice, request.jobs, hooks);
  }

  Result<int> measure_all(World& world, robot::Lab& lab, robot::CampaignRequest& request) {
    ASSIGN_OR_RETURN(const double expected, robot::expected_seconds(lab, request));
    std::optional<robot::BegunCampaign> begun;
    if (request.subjects.size() > 1) {
      ASSIGN_OR_RETURN(begun, robot::begin_campaign(lab, request, fresh_));
      if (begun->runs > 0)
        log::note(fmt::format("going on with the campaign of {}: {} runs are there (--fresh begins anew)",
                              os::local_timestamp(begun->started), begun->runs));
    }
    Progress line(world);
    const robot::CampaignHooks hooks{
        .run_ended = [&](const robot::CampaignEvent& event) { ended(line, request, event); },
        .progress =
            [&](const robot::CampaignEvent& event, const execute::Progress& progress) {
              line.show(robot::progress_text(request, event, progress, expected));
            }};
    Result<robot::CampaignResult> ended_with = robot::run_campaign(lab, request, hooks);
    if (!ended_with && begun && ended_with.error().code == ErrorCode::interrupted)
      return interrupted(ended_with.error().message + "; the same command goes on");
    ASSIGN_OR_RETURN(const robot::CampaignResult result, std::move(ended_with));
    line.clear();
    if (begun) TRY(robot::end_campaign(lab, *begun, result));
    TRY(finish(world, result.cells));
    TRY(world.print(format_ == "json" ? robot::summary_json(lab, request, result)
                                      : robot::summary_text(lab, request, result)));
    if (const Status known = check_known(request, result); !known) return fail(known.error());
    return robot::any_ok(result.cells) ? 0 : fail_all(result.cells);
  }

  // One line for each run on a terminal's log, each note once in a session.
  void ended(Progress& line, const robot::CampaignRequest& request, const robot::CampaignEvent& event) {
    for (const std::string& note : event.measured->notes)
      if (told_.insert(note).second) line.keep("note: " + note);
    line.keep(robot::ended_text(request, event));
  }

  Status finish(World&, const std::vector<robot::CampaignCell>& cells) const {
    if (link_.empty() || cells.empty() || cells.back().runs.empty()) return {};
    return os::replace_symlink(cells.back().runs.back().record.directory, link_);
  }

  // A metric that no run has is a slip.
  static Status check_known(const robot::CampaignRequest& request, const robot::CampaignResult& result) {
    for (const robot::CampaignVerdict& verdict : result.verdicts) {
      if (verdict.row) continue;
      for (const robot::CampaignCell& cell : result.cells)
        for (const robot::Measured& run : cell.runs) {
          const bool has =
              std::ranges::find(run.metrics, verdict.metric, &model::Metric::key) != run.metrics.end();
          if (cell.job != verdict.job || has || run.metrics.empty()) continue;
          return failure(fmt::format("run: '{}' is no metric of these runs", printable(verdict.metric)),
                         robot::metrics_hint(run.metrics, request.jobs[cell.job].program));
        }
    }
    return {};
  }

  static Result<int> fail_all(const std::vector<robot::CampaignCell>& cells) {
    if (cells.empty() || cells.front().runs.empty()) return failure("run: nothing was measured");
    const model::RunRecord& record = cells.front().runs.front().record;
    return failure(fmt::format("no run gave a measurement; the first: {}: {}",
                               model::outcome_name(record.outcome), record.reason),
                   "its log is in " + record.directory);
  }

  std::vector<std::string> jobs_;
  std::vector<std::string> command_;
  std::vector<std::string> overrides_;
  std::vector<std::string> revisions_;
  std::string project_;
  std::string kernel_name_;
  std::string time_limit_;
  std::string link_;
  std::string format_ = "text";
  int runs_ = kNoRuns;
  std::string budget_;
  std::string delta_;
  std::string alpha_;
  std::string metric_;
  int warm_ups_ = -1;
  bool fresh_ = false;
  std::optional<robot::CampaignQuestion> question_;
  double limit_seconds_ = 0;
  bool no_monitors_ = false;
  bool dry_run_ = false;
  std::set<std::string> told_;
};

}  // namespace

std::unique_ptr<Verb> make_run() {
  return std::make_unique<Run>();
}

}  // namespace kilter::cli
