#pragma once

#include "robot/measure.h"

#include <functional>
#include <string>
#include <vector>

// Unit jobs x subjects x runs, interleaved.
namespace kilter::robot {

struct CampaignRequest {
  std::vector<model::UnitJob> jobs;
  std::vector<Subject> subjects;  // at least one
  int runs = 1;
  PlanOptions plan;
  double time_limit = 0;
};

// One run that ended, for progress lines.
struct CampaignEvent {
  std::size_t job = 0;
  std::size_t subject = 0;
  int done = 0;  // runs that have ended, this one included
  int total = 0;
  double seconds_left = 0;  // by what the runs so far took; 0 = unknown
  const Measured* measured = nullptr;
};

struct CampaignCell {
  std::size_t job = 0;
  std::size_t subject = 0;
  std::vector<Measured> runs;
};

struct CampaignHooks {
  std::function<void(const CampaignEvent&)> run_ended;
  std::function<void(const CampaignEvent& before, const execute::Progress&)> progress;
};

// Cells in order job, subject. An interrupt ends it with an Error; what was measured by then is stored.
[[nodiscard]] Result<std::vector<CampaignCell>> run_campaign(Lab& lab, const CampaignRequest& request,
                                                             const CampaignHooks& hooks);
// Seconds the whole will take by the suites' own expectations; 0 when one of them does not know.
[[nodiscard]] Result<double> expected_seconds(const Lab& lab, const CampaignRequest& request);

}  // namespace kilter::robot
