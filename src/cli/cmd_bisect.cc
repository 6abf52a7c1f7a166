#include "base/log.h"
#include "base/text.h"
#include "cli/job_loading.h"
#include "cli/live_view.h"
#include "cli/quantity_flags.h"
#include "cli/verbs.h"
#include "robot/bisect_text.h"
#include "robot/fitness.h"
#include "suite/metric_info.h"

#include <fmt/core.h>

#include <algorithm>

namespace kilter::cli {
namespace {

constexpr double kMostConfidence = .999999;

class BisectVerb final : public Verb {
 public:
  void declare(Flags& flags) override {
    flags
        .positional("JOB", jobs_, "The job to measure, and KEY=VALUE overrides; a project brings its own",
                    false)
        .option("-p,--project", "P", project_, "The project: a name or a project file")
        .option("--good", "R", range_.good, "A revision before the change")
        .option("--bad", "R", range_.bad, "A later one that has it")
        .option("--metric", "M", metric_, "What changed (default: the suite's headline)")
        .option("--outcome", "O", outcome_, "Or how runs end: failed, crashed, test-failed, timed-out")
        .option("-s,--set", "'K: V'", overrides_, "Override a key of the job; may be repeated")
        .option("--path", "P", range_.paths,
                "Commits that touch files below P are ten times as likely; may be repeated")
        .option("--confidence", "C", confidence_, "Probability that is asked of the culprit (default 99%)")
        .option("--alpha", "A", alpha_, "False alarms of the last test (default 1%)")
        .option("--delta", "D", delta_, "The least change that counts (default: any)")
        .option("--budget", "T", budget_, "End after this long with what is known (20m, 2h)")
        .option("--end-runs", "N", end_runs_, "Most runs of each end, until the range is refused (60)")
        .option("--time-limit", "T", time_limit_, "End a run after this long")
        .option("--build-timeout", "T", build_timeout_, "End a build after this long")
        .option("--monitors", monitors_, "Run the job's monitors, too")
        .option("--first", first_only_, "Stop at the first culprit")
        .option("--fresh", fresh_, "Begin anew, and take no run that is there")
        .option("--dry-run", dry_run_, "Say what it would take, and do nothing")
        .choice("--format", format_, {"text", "json"}, "Form of the answer");
  }

  Result<int> run(World& world) override {
    TRY(check());
    if (!dry_run_) TRY(make_home(world.home));
    ASSIGN_OR_RETURN(const robot::ProjectChoice choice, robot::choose_project(world.home, project_, {}));
    ASSIGN_OR_RETURN(robot::Lab lab, open(world, choice));
    ASSIGN_OR_RETURN(robot::BisectRequest request, request_of(lab, choice));
    LiveView view(world);
    const robot::BisectHooks hooks{
        .changed = [this, &view](const robot::BisectScene& scene) { draw(view, scene); },
        .note = [&view](const std::string& text) { view.keep("note: " + text); }};
    ASSIGN_OR_RETURN(const std::unique_ptr<robot::Bisect> bisect,
                     robot::Bisect::prepare(lab, std::move(request), hooks));
    if (dry_run_) return print_estimate(world, *bisect);
    ASSIGN_OR_RETURN(const robot::BisectReport report, bisect->run());
    view.leave();
    TRY(world.print(format_ == "json" ? robot::bisect_json(report) : robot::bisect_text(report)));
    return 0;
  }

 private:
  Status check() {
    if (range_.good.empty() || range_.bad.empty())
      return usage_error("bisect: --good and --bad are needed",
                         "kilter bisect -p lib --good v1.0 --bad main");
    if (project_.empty()) return usage_error("bisect: of which project?", "add --project NAME_OR_FILE");
    if (!metric_.empty() && !outcome_.empty())
      return usage_error("bisect: --metric and --outcome exclude each other");
    TRY(check_outcome());
    ASSIGN_OR_RETURN(settings_.confidence,
                     parse_share_flag("bisect: --confidence", confidence_, {.5, kMostConfidence}));
    ASSIGN_OR_RETURN(settings_.alpha, parse_share_flag("bisect: --alpha", alpha_, {1e-9, .5}));
    ASSIGN_OR_RETURN(settings_.delta, parse_share_flag("bisect: --delta", delta_, {0, 10}));
    ASSIGN_OR_RETURN(budget_seconds_, duration("--budget", budget_));
    ASSIGN_OR_RETURN(limit_seconds_, duration("--time-limit", time_limit_));
    ASSIGN_OR_RETURN(build_seconds_, duration("--build-timeout", build_timeout_));
    if (end_runs_ < 0 || end_runs_ > 100000)
      return usage_error(fmt::format("bisect: --end-runs {} is not from 1 to 100000", end_runs_));
    settings_.end_budget = static_cast<unsigned>(end_runs_);
    return {};
  }

  [[nodiscard]] Status check_outcome() const {
    const std::vector<std::string> known = robot::outcome_words();
    if (outcome_.empty() || std::ranges::find(known, outcome_) != known.end()) return {};
    return usage_error(fmt::format("bisect: --outcome '{}' is none", printable(outcome_)),
                       "one of " + join(known, ", "));
  }

  static Result<double> duration(const std::string& flag, const std::string& text) {
    return text.empty() ? Result<double>(0) : parse_duration_flag("bisect: " + flag, text);
  }

  Result<robot::Lab> open(World& world, const robot::ProjectChoice& choice) const {
    if (dry_run_) {
      ASSIGN_OR_RETURN(robot::Lab lab, robot::open_dry_lab(robot_world(world), choice.suites()));
      ASSIGN_OR_RETURN(lab.store, robot::open_results(world.home));
      return lab;
    }
    std::vector<std::string> notes;
    ASSIGN_OR_RETURN(robot::Lab lab, robot::open_lab(robot_world(world), choice.suites(), notes));
    for (const std::string& note : notes) log::note(note);
    return lab;
  }

  Result<robot::BisectRequest> request_of(const robot::Lab& lab, const robot::ProjectChoice& choice) const {
    const JobWords words{jobs_, overrides_, {}, &lab.catalogue};
    ASSIGN_OR_RETURN(std::vector<model::UnitJob> unit_jobs, load_unit_jobs(lab, choice, words, false));
    for (const model::UnitJob& job : unit_jobs)
      for (const std::string& warning : job.warnings) log::warn(warning);
    if (unit_jobs.size() != 1)
      return usage_error(
          fmt::format("bisect: the job makes {} unit jobs, and one is bisected", unit_jobs.size()),
          "choose one: -s 'KEY: VALUE', or a unit job of kilter split-job");
    ASSIGN_OR_RETURN(robot::Measurand measurand, measurand_of(lab, unit_jobs.front()));
    const bool own = measurand.is_outcome() || measurand.metric.starts_with(unit_jobs.front().program + ".");
    return robot::BisectRequest{.project = *choice.project,
                                .job = unit_jobs.front(),
                                .range = range_,
                                .measurand = std::move(measurand),
                                .settings = settings_,
                                .budget = budget_seconds_,
                                .time_limit = limit_seconds_,
                                .build_timeout = build_seconds_,
                                .monitors = monitors_ || !own,
                                .fresh = fresh_,
                                .first_only = first_only_,
                                .dry = dry_run_};
  }

  Result<robot::Measurand> measurand_of(const robot::Lab& lab, const model::UnitJob& job) const {
    if (!outcome_.empty()) return robot::Measurand{.metric = "", .outcome = outcome_};
    if (metric_.find('.') != std::string::npos) return robot::Measurand{.metric = metric_, .outcome = ""};
    if (!metric_.empty()) return robot::Measurand{.metric = job.program + "." + metric_, .outcome = ""};
    if (const std::string key = suite::headline_key(lab.catalogue, job.program); !key.empty())
      return robot::Measurand{.metric = key, .outcome = ""};
    return usage_error(fmt::format("bisect: which metric of '{}'? Its suite names no headline", job.program),
                       "--metric NAME; kilter stat lists what was measured");
  }

  void draw(LiveView& view, const robot::BisectScene& scene) {
    const TerminalSize size = terminal_size();
    if (view.live()) {
      view.show(robot::bisect_lines(scene, {.width = size.columns,
                                            .height = size.lines,
                                            .unicode = locale_is_unicode(),
                                            .colour = std::getenv("NO_COLOR") == nullptr}));
      return;
    }
    // A log has a line for each commit that is turned to.
    const std::string sha = scene.busy ? scene.range.sha(*scene.busy) : "";
    if (!sha.empty() && sha != told_) view.keep(robot::bisect_line(scene));
    told_ = sha;
  }

  Result<int> print_estimate(World& world, const robot::Bisect& bisect) const {
    ASSIGN_OR_RETURN(const std::vector<robot::Bisect::Estimate> list, bisect.estimate({1, 2, 4}));
    TRY(world.print(format_ == "json" ? robot::estimate_json(bisect.range(), list)
                                      : robot::estimate_text(bisect.range(), list)));
    return 0;
  }

  std::vector<std::string> jobs_;
  std::vector<std::string> overrides_;
  std::string project_;
  robot::RangeRequest range_;
  std::string metric_;
  std::string outcome_;
  std::string confidence_ = "99%";
  std::string alpha_ = "1%";
  std::string delta_ = "0";
  std::string budget_;
  std::string time_limit_;
  std::string build_timeout_;
  std::string format_ = "text";
  int end_runs_ = 0;
  bool monitors_ = false;
  bool first_only_ = false;
  bool fresh_ = false;
  bool dry_run_ = false;
  robot::BisectSettings settings_;
  double budget_seconds_ = 0;
  double limit_seconds_ = 0;
  double build_seconds_ = 0;
  std::string told_;
};

}  // namespace

std::unique_ptr<Verb> make_bisect() {
  return std::make_unique<BisectVerb>();
}

}  // namespace kilter::cli
