#pragma once

#include "robot/campaign.h"

#include <string>
#include <vector>

// What `kilter run` says: before, while, and after.
namespace kilter::robot {

// --dry-run: unit jobs, steps, monitors, commands, builds to do, and the estimated time.
[[nodiscard]] Result<std::string> plan_text(const Lab& lab, const CampaignRequest& request);
// The same as JSON: {"jobs": [{"job", "plan", "expected_seconds"}], "builds", "runs", "expected_seconds"}.
[[nodiscard]] Result<std::string> plan_json(const Lab& lab, const CampaignRequest& request);
// "3/20 netperf-... 4f2a91c: 12s of 60s, 18m left".
[[nodiscard]] std::string progress_text(const CampaignRequest& request, const CampaignEvent& event,
                                        const execute::Progress& progress, double expected);
// "3/20 netperf-... 4f2a91c: ok netperf.Throughput_tps 52278".
[[nodiscard]] std::string ended_text(const CampaignRequest& request, const CampaignEvent& event);
// The answers to a question; a row for each cell: runs, outcomes, headline metrics with their spread; where
// the results are.
[[nodiscard]] std::string summary_text(const Lab& lab, const CampaignRequest& request,
                                       const CampaignResult& result);
// A list of cells; with a question {"cells", "verdicts"}.
[[nodiscard]] std::string summary_json(const Lab& lab, const CampaignRequest& request,
                                       const CampaignResult& result);
[[nodiscard]] bool any_ok(const std::vector<CampaignCell>& cells);

}  // namespace kilter::robot
