#include "robot/campaign.h"

#include "robot/interleave.h"

#include <fmt/core.h>

namespace kilter::robot {
namespace {

// What kilter itself takes around a run, for estimates.
constexpr double kOverheadSeconds = 0.5;

class Campaign {
 public:
  Campaign(Lab& lab, const CampaignRequest& request, const CampaignHooks& hooks)
      : lab_(lab), request_(request), hooks_(hooks), began_(lab.world.clock.monotonic()) {
    for (std::size_t job = 0; job < request.jobs.size(); ++job)
      for (std::size_t subject = 0; subject < request.subjects.size(); ++subject)
        cells_.push_back({.job = job, .subject = subject, .runs = {}});
    total_ = static_cast<int>(cells_.size()) * request.runs;
  }

  Result<std::vector<CampaignCell>> run() {
    for (std::size_t job = 0; job < request_.jobs.size(); ++job)
      for (const Slot& slot : interleave(static_cast<int>(request_.subjects.size()), request_.runs))
        TRY(run_slot(job, slot));
    return std::move(cells_);
  }

 private:
  [[nodiscard]] CampaignEvent event(std::size_t job, std::size_t subject) const {
    CampaignEvent event{.job = job, .subject = subject, .done = done_, .total = total_};
    if (done_ > 0) event.seconds_left = (lab_.world.clock.monotonic() - began_) / done_ * (total_ - done_);
    return event;
  }

  Status run_slot(std::size_t job, const Slot& slot) {
    const std::size_t subject = static_cast<std::size_t>(slot.revision);
    Measurement measurement{.job = request_.jobs[job],
                            .subject = request_.subjects[subject],
                            .plan = request_.plan,
                            .block = request_.subjects.size() > 1 ? slot.block : -1,
                            .place = request_.subjects.size() > 1 ? slot.place : -1,
                            .time_limit = request_.time_limit};
    measurement.plan.artefacts = request_.subjects[subject].artefacts;
    const CampaignEvent before = event(job, subject);
    if (hooks_.progress)
      measurement.progress = [this, before](const execute::Progress& progress) {
        hooks_.progress(before, progress);
      };
    ASSIGN_OR_RETURN(Measured measured, measure(lab_, measurement));
    ++done_;
    CampaignEvent after = event(job, subject);
    after.measured = &measured;
    if (hooks_.run_ended) hooks_.run_ended(after);
    cells_[job * request_.subjects.size() + subject].runs.push_back(std::move(measured));
    return {};
  }

  Lab& lab_;
  const CampaignRequest& request_;
  const CampaignHooks& hooks_;
  double began_;
  std::vector<CampaignCell> cells_;
  int done_ = 0;
  int total_ = 0;
};

}  // namespace

Result<std::vector<CampaignCell>> run_campaign(Lab& lab, const CampaignRequest& request,
                                               const CampaignHooks& hooks) {
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
  return total * request.runs * static_cast<double>(std::max<std::size_t>(1, request.subjects.size()));
}

}  // namespace kilter::robot
