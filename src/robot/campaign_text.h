#pragma once

#include "robot/campaign.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

// What a campaign with a question answers.
namespace kilter::robot {

// "v1.0 against v0.9: tokenizer.tokens_per_sec 5.80 % lower (99 % interval ...), a regression, by 5 + 5 runs"
[[nodiscard]] std::string verdict_text(const Lab& lab, const CampaignRequest& request,
                                       const CampaignVerdict& verdict);
// One line for each.
[[nodiscard]] std::string verdicts_text(const Lab& lab, const CampaignRequest& request,
                                        const CampaignResult& result);
[[nodiscard]] nlohmann::json verdicts_json(const Lab& lab, const CampaignRequest& request,
                                           const CampaignResult& result);

}  // namespace kilter::robot
