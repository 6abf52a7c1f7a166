
#include "store/reindex.h"
#include "store/store.h"

#include <doctest/doctest.h>

#include <atomic>
#include <thread>

using namespace kilter;

namespace {

struct CampaignHome {
  os::TempDir dir = *os::TempDir::create("/tmp", "kilter-campaign");
  os::Path path = dir.path();
  os::Path db = path / "kilter.db";
  std::unique_ptr<store::Store> store = *store::open_store(db);

  std::int64_t begin(const std::string& kind, const std::string& key, double started) {
    return store->begin_campaign({.kind = kind, .key = key, .request = "{}", .started = started}).value();
  }
};

}  // namespace

TEST_CASE_FIXTURE(CampaignHome, "campaigns are found by kind and key, newest first") {
  const std::int64_t old = begin("ab", "one", 10);
  const std::int64_t fresh = begin("ab", "one", 20);
  begin("ab", "two", 30);
  begin("bisect", "one", 40);
  const std::vector<store::Campaign> found = store->campaigns("ab", "one").value();
  REQUIRE(found.size() == 2);
  CHECK(found[0].id == fresh);
  CHECK(found[1].id == old);
  CHECK(!found[0].ended);
  CHECK(store->campaigns("", "")->size() == 4);
}

TEST_CASE_FIXTURE(CampaignHome, "steps keep their order, also when another store looks") {
  const std::int64_t id = begin("ab", "k", 1);
  const std::int64_t other = begin("ab", "k", 2);
  for (const char* const step : {"b", "a", "c"}) REQUIRE(store->add_campaign_step(id, step).has_value());
  REQUIRE(store->add_campaign_step(other, "x").has_value());
  CHECK((*store::open_store(db))->campaign_steps(id).value() == std::vector<std::string>{"b", "a", "c"});
  REQUIRE(store->end_campaign(id, "{\"p\":1}", 5).has_value());
  const store::Campaign ended = store->campaigns("ab", "k")->back();
  CHECK(ended.ended == 5);
  CHECK(ended.answer == "{\"p\":1}");
}

TEST_CASE_FIXTURE(CampaignHome, "rebuilding the database keeps the campaigns") {
  begin("ab", "other", 1);
  const std::int64_t id = begin("ab", "k", 2);
  REQUIRE(store->add_campaign_step(id, "one").has_value());
  REQUIRE(store::reindex(path)->notes.empty());
  REQUIRE(store->add_campaign_step(id, "two").has_value());
  CHECK(store->campaigns("ab", "k")->front().id == id);
  CHECK(store->campaign_steps(id).value() == std::vector<std::string>{"one", "two"});
}

TEST_CASE_FIXTURE(CampaignHome, "no step is lost while the database is exchanged") {
  const std::int64_t id = begin("ab", "k", 2);
  std::atomic<bool> enough = false;
  std::atomic<std::size_t> written = 0;
  std::jthread writer([&] {
    const std::unique_ptr<store::Store> own = *store::open_store(db);
    while (!enough)
      if (own->add_campaign_step(id, std::to_string(written))) ++written;
  });
  for (int i = 0; i < 10; ++i) CHECK(store::reindex(path)->notes.empty());
  enough = true;
  writer.join();
  CHECK(store->campaign_steps(id)->size() == written);
}

TEST_CASE_FIXTURE(CampaignHome, "a damaged database is rebuilt without its campaigns, which is told") {
  store.reset();
  REQUIRE(os::write_file(db, std::string(8192, 'x')).has_value());
  const store::IndexReport report = store::reindex(path).value();
  REQUIRE(report.notes.size() == 1);
  CHECK(report.notes[0].find("campaigns") != std::string::npos);
  CHECK((*store::open_store(db))->campaigns("", "")->empty());
}
