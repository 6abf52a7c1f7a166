#include "robot/history_scan.h"

#include "os/interrupt.h"
#include "report/history_json.h"
#include "report/history_text.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <csignal>
#include <random>
#include <set>

namespace kilter::robot {
namespace {

constexpr std::size_t kCommits = 60;

// Three tests with a throughput, a latency and a monitor's counter: test 1 gets slower at commit 20, test 2
// at commit 40; the counter of all of them moves at 30.
struct ScanFixture {
  os::TempDir home = *os::TempDir::create("/tmp", "kilter-scan");
  std::unique_ptr<os::Root> root = std::make_unique<os::Root>();
  ReadingRoom room;

  ScanFixture() : room(make_room()) {
    std::mt19937 random(1);
    std::normal_distribution<double> noise(0, .01);
    for (std::size_t test = 0; test < 3; ++test)
      for (std::size_t commit = 0; commit < kCommits; ++commit) {
        const bool slow = test > 0 && commit >= 20 * test;
        put(test, commit,
            {{"netperf.Throughput_tps", 1000 * (1 + noise(random)) * (slow ? .9 : 1)},
             {"vmstat.system.cs", 50 * (1 + noise(random)) * (commit >= 30 ? 2 : 1)}});
      }
  }

  ReadingRoom make_room() {
    std::unique_ptr<store::Store> store = *store::open_store(home.path() / "kilter.db");
    return {.world = {.home = home.path(),
                      .runner = os::system_runner(),
                      .clock = os::system_clock(),
                      .root = *root},
            .store = std::move(store),
            .catalogue = suite::Catalogue(),
            .store_error = {}};
  }

  void put(std::size_t test, std::size_t commit, const model::Metrics& metrics) {
    model::RunRecord record;
    record.axes = {{"testcase", fmt::format("t{}", test)}, {"commit", fmt::format("{:040x}", commit + 1)}};
    record.directory = (home.path() / fmt::format("results/{}/{}", test, commit)).string();
    record.outcome = model::Outcome::ok;
    record.started = 1e9 + static_cast<double>(commit);
    REQUIRE(room.store->put(record, metrics));
  }

  model::FoundChanges scan(const ScanRequest& request = {}) {
    Result<model::FoundChanges> found = scan_histories(room, {}, request);
    REQUIRE(found);
    return std::move(*found);
  }
};

}  // namespace

TEST_CASE_FIXTURE(ScanFixture, "changes of directed metrics are found, newest first") {
  const model::FoundChanges found = scan();
  CHECK(found.series == 3);
  CHECK(found.points == 180);
  REQUIRE(found.changes.size() == 2);
  CHECK(found.confirmed == 2);
  CHECK(found.changes[0].axes.at("testcase") == "t2");
  CHECK(found.changes[0].first_bad == fmt::format("{:040x}", 41));
  CHECK(found.changes[0].last_good == fmt::format("{:040x}", 40));
  CHECK(found.changes[0].date == 1e9 + 40);
  CHECK(change_verdict(found.changes[0].change) == "regression");
  CHECK(found.changes[1].axes.at("testcase") == "t1");
  const std::string text = report::found_changes_text(found, false);
  CHECK(text.contains("2 changes and 0 suspects in 3 series of 180 points"));
  CHECK(report::found_changes_json(found).contains("\"first_bad\""));
}

TEST_CASE_FIXTURE(ScanFixture, "all metrics, one metric, or some series") {
  CHECK(scan({.choice = MetricChoice::all}).changes.size() == 5);
  CHECK(scan({.choice = MetricChoice::headline}).series == 3);
  CHECK(scan({.metrics = {"system.cs"}}).changes.size() == 3);
  CHECK(scan({.axes = {{"testcase", "t1"}}}).changes.size() == 1);
  CHECK(scan({.axes = {{"testcase", "t9"}}}).series == 0);
}

TEST_CASE_FIXTURE(ScanFixture, "the newest changes are kept, all are counted") {
  const model::FoundChanges found = scan({.choice = MetricChoice::all, .limit = 1});
  REQUIRE(found.changes.size() == 1);
  CHECK(found.changes[0].date == 1e9 + 40);
  CHECK(found.confirmed == 5);
  CHECK(report::found_changes_text(found, false).contains("and 4 older"));
  CHECK(scan({.choice = MetricChoice::all, .since = 1e9 + 25}).confirmed == 4);
}

TEST_CASE_FIXTURE(ScanFixture, "the answer does not depend on the number of workers") {
  const ScanRequest one{.choice = MetricChoice::all, .threads = 1};
  const ScanRequest many{.choice = MetricChoice::all, .threads = 5};
  CHECK(report::found_changes_json(scan(one)) == report::found_changes_json(scan(many)));
}

TEST_CASE_FIXTURE(ScanFixture, "an interrupt ends the scan") {
  os::catch_interrupts();
  std::raise(SIGINT);
  const Result<model::FoundChanges> found = scan_histories(room, {}, {});
  os::clear_interrupt();
  REQUIRE_FALSE(found);
  CHECK(found.error().code == ErrorCode::interrupted);
  CHECK(scan().changes.size() == 2);
}

TEST_CASE_FIXTURE(ScanFixture, "progress counts the groups") {
  std::set<std::size_t> seen;
  std::size_t groups = 0;
  static_cast<void>(scan({.progress = [&](std::size_t done, std::size_t all) {
    seen.insert(done);
    groups = all;
  }}));
  CHECK(seen.size() == 3);
  CHECK(groups == 3);
}

}  // namespace kilter::robot
