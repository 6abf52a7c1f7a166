#pragma once

#include "robot/campaign.h"

#include <string>

// Campaigns of `kilter run` in the database: ended by anything, the same request goes on where it was.
namespace kilter::robot {

struct BegunCampaign {
  std::int64_t id = 0;
  int runs = 0;                      // that are there already, and now in the request
  double started = 0;                // seconds since 1970
  std::optional<os::FileLock> lock;  // while it lives no other kilter does the same
};

// What was not ended of the same jobs, subjects and machine goes on: its runs are put into `request`, and the
// lab's session becomes its own. Else, and with `fresh`, a new one begins.
[[nodiscard]] Result<BegunCampaign> begin_campaign(Lab& lab, CampaignRequest& request, bool fresh);
[[nodiscard]] Status end_campaign(Lab& lab, const BegunCampaign& campaign, const CampaignResult& result);

}  // namespace kilter::robot
