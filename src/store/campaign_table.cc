#include "store/campaign_table.h"

namespace kilter::store {

std::int64_t write_campaign(SqliteFile& file, const Campaign& campaign) {
  Using row = file.statement(
      "INSERT INTO campaign(id, kind, key, request, started, ended, answer) VALUES(?, ?, ?, ?, ?, ?, ?)");
  row.bind(campaign.id, campaign.kind, campaign.key, campaign.request, campaign.started,
           campaign.ended.value_or(0), campaign.answer);
  constexpr int kId = 1;
  constexpr int kEnded = 6;
  if (campaign.id == 0) row->bind(kId);
  if (!campaign.ended) row->bind(kEnded);
  row->exec();
  return campaign.id != 0 ? campaign.id : file.last_id();
}

void write_campaign_step(SqliteFile& file, std::int64_t campaign, const std::string& step) {
  Using row = file.statement(
      "INSERT INTO campaign_step(campaign, step, text) "
      "SELECT ?1, 1 + coalesce(max(step), 0), ?2 FROM campaign_step WHERE campaign = ?1");
  row.bind(campaign, step)->exec();
}

void write_campaign_end(SqliteFile& file, std::int64_t campaign, const std::string& answer, double ended) {
  Using row = file.statement("UPDATE campaign SET answer = ?, ended = ? WHERE id = ?");
  row.bind(answer, ended, campaign)->exec();
}

std::vector<Campaign> read_campaigns(SqliteFile& file, const std::string& kind, const std::string& key) {
  Using row = file.statement(
      "SELECT id, kind, key, request, started, ended, answer FROM campaign "
      "WHERE (?1 = '' OR kind = ?1) AND (?2 = '' OR key = ?2) ORDER BY started DESC, id DESC");
  row.bind(kind, key);
  std::vector<Campaign> found;
  while (row->executeStep()) {
    Campaign& campaign = found.emplace_back();
    campaign.id = row->getColumn(0).getInt64();
    campaign.kind = row->getColumn(1).getString();
    campaign.key = row->getColumn(2).getString();
    campaign.request = row->getColumn(3).getString();
    campaign.started = row->getColumn(4).getDouble();
    if (!row->getColumn(5).isNull()) campaign.ended = row->getColumn(5).getDouble();
    campaign.answer = row->getColumn(6).getString();
  }
  return found;
}

std::vector<std::string> read_campaign_steps(SqliteFile& file, std::int64_t campaign) {
  Using row = file.statement("SELECT text FROM campaign_step WHERE campaign = ? ORDER BY step");
  row.bind(campaign);
  std::vector<std::string> steps;
  while (row->executeStep()) steps.push_back(row->getColumn(0).getString());
  return steps;
}

}  // namespace kilter::store
