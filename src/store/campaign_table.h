#pragma once

#include "store/campaign.h"
#include "store/sqlite_file.h"

#include <vector>

// Private to this room: campaigns as rows. Throws SQLite::Exception; what writes is called in a transaction.
namespace kilter::store {

// Under the id that it has, or a new one where that is 0; answers it.
std::int64_t write_campaign(SqliteFile& file, const Campaign& campaign);
void write_campaign_step(SqliteFile& file, std::int64_t campaign, const std::string& step);
void write_campaign_end(SqliteFile& file, std::int64_t campaign, const std::string& answer, double ended);
[[nodiscard]] std::vector<Campaign> read_campaigns(SqliteFile& file, const std::string& kind,
                                                   const std::string& key);
[[nodiscard]] std::vector<std::string> read_campaign_steps(SqliteFile& file, std::int64_t campaign);

}  // namespace kilter::store
