#include "robot/campaign.h"

#include "analyse/kilter_rule.h"
#include "analyse/looks.h"
#include "robot/evidence.h"
#include "robot/interleave.h"
#include "suite/metric_info.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

namespace kilter::robot {
namespace {

// What kilter itself takes around a run, for estimates.
constexpr double kOverheadSeconds = 0.5;
constexpr int kMostEnvironment = 4096;            // bytes: a page, within which a stack may begin
constexpr std::size_t kNoLookWithoutHistory = 3;  // runs: too few where nothing else tells their scatter
constexpr std::size_t kFailuresBorne = 3;         // of one subject, before its question is given up

std::size_t ok_runs(const CampaignCell& cell) {
  return static_cast<std::size_t>(std::ranges::count_if(
      cell.runs, [](const Measured& run) { return run.record.outcome == model::Outcome::ok; }));
}

double value_of(const Measured& run, const std::string& metric) {
  const auto found = std::ranges::find(run.metrics, metric, &model::Metric::key);
  const bool has = run.record.outcome == model::Outcome::ok && found != run.metrics.end();
  return has ? found->value.value() : std::numeric_limits<double>::quiet_NaN();
}

std::vector<analyse::LabelledSample> campaign_samples(const CampaignCell& cell, const std::string& metric) {
  std::vector<analyse::LabelledSample> samples;
  for (const Measured& run : cell.runs)
    samples.push_back({.value = value_of(run, metric),
                       .build = run.record.build_id,
                       .boot = run.record.boot_id,
                       .process = run.record.directory});
  return samples;
}

class Campaign {
 public:
  Campaign(Lab& lab, const CampaignRequest& request, const CampaignHooks& hooks)
      : lab_(lab),
        request_(request),
        hooks_(hooks),
        began_(lab.world.clock.monotonic()),
        seed_(std::hash<std::string>()(lab.session)),
        cells_(request.begun) {
    if (cells_.empty())
      for (std::size_t job = 0; job < request.jobs.size(); ++job)
        for (std::size_t subject = 0; subject < request.subjects.size(); ++subject)
          cells_.push_back({.job = job, .subject = subject, .runs = {}});
    total_ = static_cast<int>(cells_.size()) * request.runs;
    for (const CampaignCell& cell : cells_) there_ += static_cast<int>(cell.runs.size());
    done_ = there_;
  }

  Result<CampaignResult> run() {
    if (request_.question) TRY(answer_question());
    if (!request_.question)
      for (std::size_t job = 0; job < request_.jobs.size(); ++job)
        TRY(run_job(job, all_subjects(), request_.runs));
    return CampaignResult{std::move(cells_), std::move(verdicts_)};
  }

 private:
  [[nodiscard]] CampaignCell& cell_of(std::size_t job, std::size_t subject) {
    return cells_[job * request_.subjects.size() + subject];
  }
  [[nodiscard]] std::set<std::size_t> all_subjects() const {
    std::set<std::size_t> all;
    for (std::size_t subject = 0; subject < request_.subjects.size(); ++subject) all.insert(subject);
    return all;
  }

  // So many runs of each of `subjects`, less those that are there, in blocks.
  Status run_job(std::size_t job, const std::set<std::size_t>& subjects, int runs) {
    const int revisions = static_cast<int>(request_.subjects.size());
    std::map<std::size_t, std::size_t> passed;
    for (const Slot& slot :
         request_.randomised ? shuffled_blocks(revisions, runs, seed_ + job) : interleave(revisions, runs)) {
      const std::size_t subject = static_cast<std::size_t>(slot.revision);
      const bool there = ++passed[subject] <= cell_of(job, subject).runs.size();
      if (there || !subjects.contains(subject)) continue;
      if (out_of_time()) return {};
      TRY(run_slot(job, slot));
    }
    return {};
  }

  Status run_slot(std::size_t job, const Slot& slot) {
    const std::size_t subject = static_cast<std::size_t>(slot.revision);
    CampaignCell& cell = cell_of(job, subject);
    const Subject build = build_in_turn(request_.subjects[subject], cell.runs.size());
    TRY(warm_up(job, build, event(job, subject)));
    Measurement measurement = measurement_of(job, build, event(job, subject));
    measurement.block = request_.subjects.size() > 1 ? slot.block : -1;
    measurement.place = request_.subjects.size() > 1 ? slot.place : -1;
    ASSIGN_OR_RETURN(Measured measured, measure(lab_, measurement));
    ++done_;
    CampaignEvent after = event(job, subject);
    after.measured = &measured;
    if (hooks_.run_ended) hooks_.run_ended(after);
    cell.runs.push_back(std::move(measured));
    return {};
  }

  // Before the first run of a build that this process makes.
  Status warm_up(std::size_t job, const Subject& build, const CampaignEvent& before) {
    int& warm = warmed_[{job, build.commit + build.build_id}];
    for (; warm < request_.warm_ups; ++warm) {
      Measurement measurement = measurement_of(job, build, before);
      measurement.warm_up = true;
      ASSIGN_OR_RETURN(const Measured measured, measure(lab_, measurement));
    }
    return {};
  }

  Measurement measurement_of(std::size_t job, const Subject& build, const CampaignEvent& before) {
    Measurement measurement{.job = request_.jobs[job],
                            .subject = build,
                            .plan = request_.plan,
                            .time_limit = request_.time_limit};
    measurement.plan.artefacts = build.artefacts;
    if (request_.randomised)
      measurement.plan.env_padding = static_cast<int>(lot(seed_, ++drawn_) % kMostEnvironment);
    if (hooks_.progress)
      measurement.progress = [this, before](const execute::Progress& progress) {
        hooks_.progress(before, progress);
      };
    return measurement;
  }

  [[nodiscard]] CampaignEvent event(std::size_t job, std::size_t subject) const {
    CampaignEvent event{.job = job, .subject = subject, .done = done_, .total = total_};
    const int made = done_ - there_;
    if (made > 0) event.seconds_left = (lab_.world.clock.monotonic() - began_) / made * (total_ - done_);
    return event;
  }

  [[nodiscard]] bool out_of_time() const {
    return request_.question && request_.question->budget > 0 &&
           lab_.world.clock.monotonic() - began_ > request_.question->budget;
  }

  // All jobs come to their first look, then the undecided ones to their second, ...
  Status answer_question() {
    TRY(read_histories());
    for (std::size_t job = 0; job < request_.jobs.size(); ++job)
      for (std::size_t subject = 1; subject < request_.subjects.size(); ++subject)
        verdicts_.push_back({.job = job, .subject = subject, .metric = metric_of(job)});
    std::set<std::size_t> open;
    for (std::size_t i = 0; i < verdicts_.size(); ++i) open.insert(i);
    std::optional<std::size_t> at = analyse::next_look(has_histories() ? 0 : kNoLookWithoutHistory);
    while (at && !open.empty() && !out_of_time()) {
      const std::size_t runs = std::min(*at, static_cast<std::size_t>(request_.runs));
      TRY(come_to(runs, open));
      std::erase_if(open, [&](std::size_t i) { return is_decided(verdicts_[i], runs); });
      if (runs < *at) break;
      at = analyse::next_look(*at);
    }
    for (const std::size_t i : open) verdicts_[i].out_of_time = out_of_time();
    return {};
  }

  [[nodiscard]] std::string metric_of(std::size_t job) const {
    const std::string& asked = request_.question->metric;
    if (!asked.empty()) return asked.contains('.') ? asked : request_.jobs[job].program + "." + asked;
    return suite::headline_key(lab_.catalogue, request_.jobs[job].program);
  }

  // A failed run is made up for, a few times.
  Status come_to(std::size_t runs, const std::set<std::size_t>& open) {
    for (std::size_t job = 0; job < request_.jobs.size(); ++job) {
      std::set<std::size_t> subjects;
      for (const std::size_t i : open)
        if (verdicts_[i].job == job) subjects.insert({0, verdicts_[i].subject});
      for (std::size_t more = 0; more <= kFailuresBorne && !subjects.empty() && !out_of_time(); ++more) {
        TRY(run_job(job, subjects, static_cast<int>(runs + more)));
        std::erase_if(subjects, [&](std::size_t subject) { return ok_runs(cell_of(job, subject)) >= runs; });
      }
    }
    return {};
  }

  bool is_decided(CampaignVerdict& verdict, std::size_t runs) {
    const CampaignCell& base = cell_of(verdict.job, 0);
    const CampaignCell& other = cell_of(verdict.job, verdict.subject);
    const std::vector<analyse::LabelledSample> a = campaign_samples(base, verdict.metric);
    const std::vector<analyse::LabelledSample> b = campaign_samples(other, verdict.metric);
    const std::vector<std::span<const double>> history = histories_[verdict.job].of(verdict.metric);
    verdict.row = analyse::metric_verdict({.a = a,
                                           .b = b,
                                           .history = history,
                                           .rule = {.level = request_.question->alpha * analyse::kLookShare,
                                                    .minimal_effect = request_.question->delta}});
    if (!verdict.row) return !out_of_time();  // nothing runs, or lacks the metric: more would not help
    const bool looked = std::min(ok_runs(base), ok_runs(other)) >= runs;
    if (!looked) verdict.row->answer = model::Answer::unknown;
    return looked && verdict.row->answer != model::Answer::unknown;
  }

  [[nodiscard]] bool has_histories() const {
    return std::ranges::all_of(histories_,
                               [](const model::BuildHistory& history) { return history.size() > 0; });
  }

  // How the series of the first subject scattered before.
  Status read_histories() {
    for (const model::UnitJob& job : request_.jobs) {
      ASSIGN_OR_RETURN(const PlannedRun planned, make_plan(job, lab_, options_of_first()));
      HistoryRequest asked{
          .axes = run_axes(lab_, job, request_.subjects.front(), planned.plan.workload.engine),
          .fingerprints = {lab_.box.fingerprint_id()}};
      for (const Subject& subject : request_.subjects) asked.left_out.insert(subject.commit);
      ASSIGN_OR_RETURN(model::BuildHistory history, load_history(*lab_.store, asked));
      histories_.push_back(std::move(history));
    }
    return {};
  }

  [[nodiscard]] PlanOptions options_of_first() const {
    PlanOptions options = request_.plan;
    options.artefacts = request_.subjects.front().artefacts;
    return options;
  }

  Lab& lab_;
  const CampaignRequest& request_;
  const CampaignHooks& hooks_;
  double began_;
  std::uint64_t seed_;
  std::uint64_t drawn_ = 0;
  std::vector<CampaignCell> cells_;
  std::vector<CampaignVerdict> verdicts_;
  std::vector<model::BuildHistory> histories_;  // by job
  std::map<std::pair<std::size_t, std::string>, int> warmed_;
  int there_ = 0;
  int done_ = 0;
  int total_ = 0;
};

}  // namespace

Result<CampaignResult> run_campaign(Lab& lab, const CampaignRequest& request, const CampaignHooks& hooks) {
  return Campaign(lab, request, hooks).run();
}

Result<double> expected_seconds(const Lab& lab, const CampaignRequest& request) {
  double total = 0;
  for (const model::UnitJob& job : request.jobs) {
    PlanOptions options = request.plan;
    if (!request.subjects.empty()) options.artefacts = request.subjects[0].artefacts;
    ASSIGN_OR_RETURN(const PlannedRun planned, make_plan(job, lab, options));
    if (planned.plan.workload.expected_seconds <= 0) return 0.0;
    total += planned.plan.workload.expected_seconds + kOverheadSeconds;
  }
  const int runs = request.runs + request.warm_ups;
  return total * runs * static_cast<double>(std::max<std::size_t>(1, request.subjects.size()));
}

}  // namespace kilter::robot
