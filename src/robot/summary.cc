#include "robot/summary.h"

#include "analyse/samples.h"
#include "base/quantity.h"
#include "base/text.h"
#include "model/json.h"
#include "model/report_types.h"
#include "project/project.h"
#include "robot/campaign_text.h"
#include "suite/metric_info.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>

namespace kilter::robot {
namespace {

using model::Metric;
using model::Outcome;

constexpr std::size_t kHeadlines = 3;  // rows of a cell's summary
constexpr int kEnoughRuns = 3;         // of each side, for a comparison that can judge

struct Spread {
  std::string key;
  std::string unit;
  int n = 0;
  double mean = 0;
  double stddev = 0;  // population; 0 for n = 1
};

// "v0.9 (975660a46f56)"; the commit alone when it was called so.
std::string short_label(const Subject& subject) {
  const std::string commit = model::short_commit(subject.commit);
  return subject.name.empty() ? commit : fmt::format("{} ({})", printable(subject.name), commit);
}

// Two words for `kilter compare`: the names where both have one.
std::string operands(const Subject& base, const Subject& head) {
  const bool named = !base.name.empty() && !head.name.empty();
  const auto word = [named](const Subject& subject) {
    return shell_quote(named ? subject.name : model::short_commit(subject.commit));
  };
  return word(base) + " " + word(head);
}

// The metrics worth a line: those the suite calls headlines; else the benchmark's own first ones.
std::vector<std::string> headline_keys(const Lab& lab, const model::UnitJob& job,
                                       const model::Metrics& metrics) {
  std::vector<std::string> headlines;
  std::vector<std::string> own;
  for (const Metric& metric : metrics) {
    if (!metric.key.starts_with(job.program + ".") || metric.key.starts_with(job.program + ".time."))
      continue;
    own.push_back(metric.key);
    if (suite::metric_info(lab.catalogue, metric.key).headline) headlines.push_back(metric.key);
  }
  // fio reports what it did not do as zeros.
  const auto is_idle = [&metrics](const std::string& key) {
    return std::ranges::find(metrics, key, &Metric::key)->value.value() == 0;
  };
  if (!std::ranges::all_of(headlines, is_idle)) std::erase_if(headlines, is_idle);
  std::vector<std::string>& chosen = headlines.empty() ? own : headlines;
  chosen.resize(std::min(chosen.size(), kHeadlines));
  return chosen;
}

Spread spread_of(const std::string& key, const std::vector<Measured>& runs) {
  Spread spread{.key = key, .unit = {}};
  std::vector<double> values;
  for (const Measured& run : runs) {
    const auto metric = std::ranges::find(run.metrics, key, &Metric::key);
    if (run.record.outcome != Outcome::ok || metric == run.metrics.end()) continue;
    values.push_back(metric->value.value());
  }
  spread.n = static_cast<int>(values.size());
  spread.mean = analyse::mean(values);
  if (spread.n > 1) spread.stddev = analyse::population_stddev(values, spread.mean);
  return spread;
}

const Measured* first_ok(const CampaignCell& cell) {
  const auto it =
      std::ranges::find_if(cell.runs, [](const Measured& run) { return run.record.outcome == Outcome::ok; });
  return it == cell.runs.end() ? nullptr : &*it;
}

std::vector<Spread> spreads(const Lab& lab, const CampaignRequest& request, const CampaignCell& cell) {
  std::vector<Spread> rows;
  const Measured* run = first_ok(cell);
  if (run == nullptr) return rows;
  for (const std::string& key : headline_keys(lab, request.jobs[cell.job], run->metrics)) {
    rows.push_back(spread_of(key, cell.runs));
    rows.back().unit = suite::metric_info(lab.catalogue, key).unit;
  }
  return rows;
}

// "5 ok", "4 ok, 1 timed-out".
std::string outcomes_text(const CampaignCell& cell) {
  std::map<Outcome, int> counts;
  for (const Measured& run : cell.runs) ++counts[run.record.outcome];
  std::string text;
  for (const auto& [outcome, count] : counts)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, model::outcome_name(outcome));
  return text;
}

std::string spread_text(const Spread& spread) {
  const double percent = spread.mean == 0 ? 0 : 100 * spread.stddev / std::abs(spread.mean);
  const std::string noise = spread.n > 1 ? fmt::format(" ±{:.1f}%", percent) : "";
  return fmt::format("    {:>12}{:<8} {}{}\n", model::figure_text(spread.mean), noise, spread.key,
                     spread.unit.empty() ? "" : " [" + spread.unit + "]");
}

PlanOptions options_of(const CampaignRequest& request) {
  PlanOptions options = request.plan;
  if (!request.subjects.empty()) options.artefacts = request.subjects.front().artefacts;
  return options;
}

// A subject of a project that is not built yet.
bool is_future(const Subject& subject) {
  return !subject.project.empty() && subject.build_id.empty();
}

std::string counted(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

// "set-up not done: disk, fs" of a cell; all its runs did the same.
std::string skipped_text(const CampaignCell& cell) {
  std::vector<std::string> names;
  for (const Measured& run : cell.runs)
    for (const std::string& setting : run.record.skipped_settings)
      if (const std::string name = setting.substr(0, setting.find(": "));
          std::ranges::find(names, name) == names.end())
        names.push_back(name);
  return names.empty() ? "" : fmt::format("    set-up not done: {}\n", join(names, ", "));
}

// Whether the job's own file or an override asked for the monitor, no category or include file. A unit job's
// file holds all of them, so that only overrides count.
bool is_named(const model::UnitJob& job, const model::Node& monitor) {
  if (monitor.mark.file == model::FileName("override")) return true;
  const model::Node* arch = job.body.find("arch");
  const bool unit = arch != nullptr && arch->mark.line > 0;
  return !unit && !place_of(job, monitor).empty() && place_of(job, monitor).starts_with(job.file + ":");
}

// Monitors that were asked for and are not to be had: how many, and those that were asked for by name.
class Missing {
 public:
  void add(const model::UnitJob& job, const std::vector<model::UnavailableMonitor>& monitors) {
    for (const model::UnavailableMonitor& monitor : monitors) {
      all_.insert(monitor.name);
      for (const auto& [name, node] : job.monitors)
        if (name == monitor.name && is_named(job, node)) named_.insert(name);
    }
  }
  [[nodiscard]] std::string text() const {
    if (all_.empty()) return "";
    const std::string names = join(std::vector<std::string>(named_.begin(), named_.end()), ", ");
    return fmt::format("{} not recorded here (kilter doctor){}\n", counted(all_.size(), "monitor"),
                       names.empty() ? "" : ": " + names);
  }

 private:
  std::set<std::string> all_;
  std::set<std::string> named_;
};

std::string without_text(const CampaignRequest& request, const std::vector<CampaignCell>& cells) {
  Missing missing;
  for (const CampaignCell& cell : cells)
    for (const Measured& run : cell.runs) missing.add(request.jobs[cell.job], run.unavailable);
  return missing.text();
}

std::string cell_text(const Lab& lab, const CampaignRequest& request, const CampaignCell& cell) {
  std::string text = fmt::format("{}  {}  {}\n", request.jobs[cell.job].name,
                                 short_label(request.subjects[cell.subject]), outcomes_text(cell));
  for (const Spread& spread : spreads(lab, request, cell)) text += spread_text(spread);
  text += skipped_text(cell);
  for (const Measured& run : cell.runs)
    if (run.record.outcome != Outcome::ok)
      return text + fmt::format("    {}: {}\n    log: {}\n", model::outcome_name(run.record.outcome),
                                run.record.reason, run.record.directory);
  return text;
}

// With one project in the home its name need not be typed.
std::string project_words(const Lab& lab, const Subject& subject) {
  std::error_code ignored;
  const std::size_t projects =
      project::project_names(lab.world.home, std::filesystem::current_path(ignored)).size();
  return projects > 1 && !subject.project.empty() ? "-p " + shell_quote(subject.project) + " " : "";
}

std::string next_step(const Lab& lab, const CampaignRequest& request) {
  if (request.subjects.size() < 2) return "";
  if (request.runs < kEnoughRuns)
    return fmt::format("next: the same with --runs 5: at least {} runs of each side are needed to judge\n",
                       kEnoughRuns);
  return "next: kilter compare " + project_words(lab, request.subjects[0]) +
         operands(request.subjects[0], request.subjects[1]) + "\n";
}

std::string step_text(const model::Step& step) {
  switch (step.kind) {
    case model::Step::Kind::run:
      return shell_join(step.argv);
    default:
      return fmt::format("{} > {}", step.value, step.path);
  }
}

std::string list_text(const std::vector<int>& numbers) {
  std::vector<std::string> texts;
  for (const int number : numbers) texts.push_back(std::to_string(number));
  return join(texts, ",");
}

std::string command_text(const model::PlannedCommand& command) {
  const std::string copies = command.copies > 1 ? fmt::format("{} x ", command.copies) : "";
  std::string bound;
  if (!command.cpus.empty()) bound += ", CPUs " + list_text(command.cpus);
  if (!command.mem_nodes.empty()) bound += ", memory of nodes " + list_text(command.mem_nodes);
  if (!command.cwd.empty()) bound += ", in " + command.cwd;
  return copies + shell_join(command.argv) + (bound.empty() ? "" : "  (" + bound.substr(2) + ")");
}

std::string monitors_text(const model::Plan& plan) {
  std::vector<std::string> names;
  for (const model::Recorder& recorder : plan.recorders)
    names.insert(names.end(), recorder.monitors.begin(), recorder.monitors.end());
  return "  monitors  " + join(names, " ") + "\n";
}

std::string planned_text(const model::UnitJob& job, const model::Plan& plan) {
  std::string text = job.name + "\n";
  for (const model::Step& step : plan.setup)
    text += fmt::format("  set up    {}: {}\n", step.name, step_text(step));
  for (const model::SkippedSetting& setting : plan.skipped)
    text += fmt::format("  not done  {}: {}\n", setting.name, setting.reason);
  text += monitors_text(plan);
  for (const model::PlannedCommand& daemon : plan.workload.daemons)
    text += "  daemon    " + command_text(daemon) + "\n";
  for (const model::PlannedCommand& command : plan.workload.body)
    text += "  run       " + command_text(command) + "\n";
  if (plan.workload.iterations > 1) text += fmt::format("  times     {}\n", plan.workload.iterations);
  if (plan.workload.min_seconds > 0)
    text += fmt::format("  again     until {} are over\n", format_duration(plan.workload.min_seconds));
  const double expected = plan.workload.expected_seconds;
  return text + fmt::format("  takes     {}\n", expected > 0 ? format_duration(expected) : "unknown");
}

nlohmann::json cell_json(const Lab& lab, const CampaignRequest& request, const CampaignCell& cell) {
  nlohmann::json metrics = nlohmann::json::array();
  for (const Spread& spread : spreads(lab, request, cell))
    metrics.push_back({{"key", spread.key},
                       {"unit", spread.unit},
                       {"n", spread.n},
                       {"mean", spread.mean},
                       {"stddev", spread.stddev}});
  nlohmann::json runs = nlohmann::json::array();
  for (const Measured& run : cell.runs) {
    runs.push_back(run.record);
    runs.back()["directory"] = run.record.directory;
  }
  return {{"job", request.jobs[cell.job].name},
          {"commit", request.subjects[cell.subject].commit},
          {"metrics", metrics},
          {"runs", runs}};
}

}  // namespace

Result<std::string> plan_text(const Lab& lab, const CampaignRequest& request) {
  std::string text;
  Missing missing;
  for (const model::UnitJob& job : request.jobs) {
    ASSIGN_OR_RETURN(const PlannedRun planned, make_plan(job, lab, options_of(request)));
    text += planned_text(job, planned.plan);
    missing.add(job, planned.plan.unavailable);
  }
  text += missing.text();
  for (const Subject& subject : request.subjects)
    if (is_future(subject))
      text += fmt::format("build {} of {}, unless the cache has it\n", printable(subject.commit),
                          subject.project);
  ASSIGN_OR_RETURN(const double seconds, expected_seconds(lab, request));
  const bool builds = std::ranges::any_of(request.subjects, is_future);
  return text + fmt::format("{} x {} x {}: {}{}\n", counted(request.jobs.size(), "unit job"),
                            counted(request.subjects.size(), "revision"),
                            counted(static_cast<std::size_t>(request.runs), "run"),
                            seconds > 0 ? "about " + format_duration(seconds) : "time unknown",
                            builds ? ", and the builds" : "");
}

Result<std::string> plan_json(const Lab& lab, const CampaignRequest& request) {
  nlohmann::json jobs = nlohmann::json::array();
  for (const model::UnitJob& job : request.jobs) {
    ASSIGN_OR_RETURN(const PlannedRun planned, make_plan(job, lab, options_of(request)));
    jobs.push_back({{"job", job.name},
                    {"axes", job.axes},
                    {"plan", planned.plan},
                    {"expected_seconds", planned.plan.workload.expected_seconds}});
  }
  nlohmann::json builds = nlohmann::json::array();
  for (const Subject& subject : request.subjects)
    if (is_future(subject)) builds.push_back({{"project", subject.project}, {"revision", subject.commit}});
  ASSIGN_OR_RETURN(const double seconds, expected_seconds(lab, request));
  return model::dump_json({{"jobs", jobs},
                           {"builds", builds},
                           {"revisions", request.subjects.size()},
                           {"runs", request.runs},
                           {"expected_seconds", seconds}}) +
         "\n";
}

std::string progress_text(const CampaignRequest& request, const CampaignEvent& event,
                          const execute::Progress& progress, double expected) {
  std::string text = fmt::format("{}/{} {} {}: ", event.done + 1, event.total, request.jobs[event.job].name,
                                 short_label(request.subjects[event.subject]));
  text +=
      progress.phase == execute::Progress::Phase::running ? format_duration(progress.elapsed) : "setting up";
  if (progress.expected > 0) text += " of " + format_duration(progress.expected);
  double left = event.seconds_left;
  if (event.done == 0 && expected > 0) left = expected;
  left -= progress.elapsed;
  return left > 0 ? text + ", " + format_duration(left) + " left" : text;
}

std::string ended_text(const CampaignRequest& request, const CampaignEvent& event) {
  const Measured& measured = *event.measured;
  std::string text =
      fmt::format("{}/{} {} {}: {}", event.done, event.total, request.jobs[event.job].name,
                  short_label(request.subjects[event.subject]), model::outcome_name(measured.record.outcome));
  if (measured.record.outcome != Outcome::ok) return text + ": " + measured.record.reason;
  return text + fmt::format(" in {}", format_duration(measured.record.elapsed));
}

std::string summary_text(const Lab& lab, const CampaignRequest& request, const CampaignResult& result) {
  const std::vector<CampaignCell>& cells = result.cells;
  std::string text;
  for (const CampaignCell& cell : cells) text += cell_text(lab, request, cell);
  text += without_text(request, cells);
  if (!cells.empty() && !cells.back().runs.empty())
    text += "results: " + cells.back().runs.back().record.directory + "\n";
  if (request.question) return text + verdicts_text(lab, request, result);
  return text + next_step(lab, request);
}

std::string summary_json(const Lab& lab, const CampaignRequest& request, const CampaignResult& result) {
  nlohmann::json json = nlohmann::json::array();
  for (const CampaignCell& cell : result.cells) json.push_back(cell_json(lab, request, cell));
  if (request.question)
    return model::dump_json({{"cells", json}, {"verdicts", verdicts_json(lab, request, result)}}) + "\n";
  return model::dump_json(json) + "\n";
}

bool any_ok(const std::vector<CampaignCell>& cells) {
  return std::ranges::any_of(cells, [](const CampaignCell& cell) { return first_ok(cell) != nullptr; });
}

}  // namespace kilter::robot
