#include "robot/durable_campaign.h"

#include "base/hash.h"
#include "store/reindex.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace kilter::robot {
namespace {

constexpr const char* kRunKind = "run";

std::string run_campaign_key(const Lab& lab, const CampaignRequest& request) {
  std::string text = lab.box.fingerprint_id();
  for (const model::UnitJob& job : request.jobs)
    text += "\n" + model::axes_key(job.axes) + "\n" + job.testcase + "\n" + job.text;
  for (const Subject& subject : request.subjects)
    text += "\n" + subject.project + "\n" + subject.commit + "\n" + subject.build_id;
  for (const std::string& word : request.plan.command) text += "\n" + word;
  return hash_hex(text);
}

std::string run_campaign_request(const Lab& lab, const CampaignRequest& request) {
  nlohmann::json json = {
      {"session", lab.session}, {"jobs", nlohmann::json::array()}, {"commits", nlohmann::json::array()}};
  for (const model::UnitJob& job : request.jobs) json["jobs"].push_back(job.testcase);
  for (const Subject& subject : request.subjects) json["commits"].push_back(subject.commit);
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

bool is_run_of(const Lab& lab, const model::UnitJob& job, const Subject& subject,
               const model::RunRecord& record) {
  return record.project == subject.project && run_axes(lab, job, subject, record.engine) == record.axes;
}

// Build failures are no runs of a campaign: what does not build is not in it.
Result<int> put_back(Lab& lab, CampaignRequest& request) {
  static_cast<void>(store::catch_up(lab.world.home, *lab.store));
  ASSIGN_OR_RETURN(std::vector<store::StoredRun> runs, lab.store->runs({.session = lab.session}));
  std::ranges::reverse(runs);
  int count = 0;
  for (const store::StoredRun& run : runs)
    for (CampaignCell& cell : request.begun) {
      if (run.record.outcome == model::Outcome::build_failed) continue;
      if (!is_run_of(lab, request.jobs[cell.job], request.subjects[cell.subject], run.record)) continue;
      ASSIGN_OR_RETURN(model::Metrics metrics, lab.store->metrics(run.id));
      cell.runs.push_back(
          {.record = run.record, .metrics = std::move(metrics), .notes = {}, .unavailable = {}});
      ++count;
    }
  return count;
}

}  // namespace

Result<BegunCampaign> begin_campaign(Lab& lab, CampaignRequest& request, bool fresh) {
  const std::string key = run_campaign_key(lab, request);
  BegunCampaign begun;
  Result<os::FileLock> lock = os::FileLock::acquire(lab.world.home / (".run-" + key.substr(0, 16)), 0);
  if (!lock) return failure("running: another kilter does the same campaign now", "wait for it, or end it");
  begun.lock.emplace(std::move(*lock));
  for (std::size_t job = 0; job < request.jobs.size(); ++job)
    for (std::size_t subject = 0; subject < request.subjects.size(); ++subject)
      request.begun.push_back({.job = job, .subject = subject, .runs = {}});
  ASSIGN_OR_RETURN(const std::vector<store::Campaign> campaigns, lab.store->campaigns(kRunKind, key));
  if (!fresh && !campaigns.empty() && !campaigns.front().ended) {
    const nlohmann::json old = nlohmann::json::parse(campaigns.front().request, nullptr, false);
    if (old.is_object()) lab.session = old.value("session", lab.session);
    begun.id = campaigns.front().id;
    begun.started = campaigns.front().started;
    ASSIGN_OR_RETURN(begun.runs, put_back(lab, request));
    return begun;
  }
  begun.started = lab.world.clock.wall();
  ASSIGN_OR_RETURN(begun.id, lab.store->begin_campaign({.kind = kRunKind,
                                                        .key = key,
                                                        .request = run_campaign_request(lab, request),
                                                        .started = begun.started}));
  return begun;
}

Status end_campaign(Lab& lab, const BegunCampaign& campaign, const CampaignResult& result) {
  nlohmann::json answer = nlohmann::json::array();
  for (const CampaignVerdict& verdict : result.verdicts)
    answer.push_back(
        {{"metric", verdict.metric},
         {"answer", model::answer_name(verdict.row ? verdict.row->answer : model::Answer::unknown)}});
  return lab.store->end_campaign(campaign.id,
                                 answer.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace),
                                 lab.world.clock.wall());
}

}  // namespace kilter::robot
