#include "store/store.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <cmath>
#include <sqlite3.h>

using namespace kilter;
using model::Axes;
using model::Metrics;
using model::Number;
using store::SeriesTable;

namespace {

struct TableFixture {
  os::TempDir home = *os::TempDir::create("/tmp", "kilter-series");
  std::unique_ptr<store::Store> store = *store::open_store(home.path() / "kilter.db");

  std::int64_t put(const std::string& commit, double started, const Metrics& metrics,
                   model::Outcome outcome = model::Outcome::ok, const std::string& threads = "1") {
    model::RunRecord record;
    record.axes = {{"testcase", "netperf"}, {"commit", commit}, {"nr_threads", threads}};
    record.directory = (home.path() / "results" / threads / commit / fmt::format("{}", started)).string();
    record.outcome = outcome;
    record.started = started;
    record.boot_id = "boot" + commit;
    record.build_id = "build" + commit;
    record.fingerprint = "machine";
    record.project = "queue";
    return store->put(record, metrics).value();
  }
};

const Axes kSeries = {{"testcase", "netperf"}, {"nr_threads", "1"}};

}  // namespace

TEST_CASE_FIXTURE(TableFixture, "a series comes as one table, a row for each metric") {
  put("b", 20, {{"a", Number(3)}, {"c", Number(0.5)}});
  put("a", 10, {{"a", Number(1)}, {"b", Number(2)}});
  put("a", 11, {{"a", Number(9)}}, model::Outcome::crashed);
  put("a", 12, {{"a", Number(9)}}, model::Outcome::ok, "2");
  const SeriesTable table = store->series_table(kSeries, {}).value();
  REQUIRE(table.runs.size() == 2);
  CHECK(table.runs[0].commit == "a");
  CHECK(table.runs[0].boot_id == "boota");
  CHECK(table.runs[0].build_id == "builda");
  CHECK(table.runs[0].fingerprint == "machine");
  CHECK(table.runs[0].project == "queue");
  CHECK(table.runs[1].started == 20);
  CHECK(table.keys == std::vector<std::string>{"a", "b", "c"});
  CHECK(table.row(0)[0] == 1);
  CHECK(table.row(0)[1] == 3);
  CHECK(table.row(1)[0] == 2);
  CHECK(std::isnan(table.row(1)[1]));
  CHECK(std::isnan(table.row(2)[0]));
  CHECK(table.row(2)[1] == 0.5);
}

TEST_CASE_FIXTURE(TableFixture, "chosen metrics alone are read, wherever they stand in a run") {
  Metrics metrics;
  for (int i = 0; i < 700; ++i) metrics.push_back({fmt::format("k{:04}", i), Number(i)});
  put("a", 1, metrics);
  put("b", 2, metrics);
  const SeriesTable table =
      store->series_table(kSeries, [](const std::string& key) { return key == "k0000" || key == "k0699"; })
          .value();
  CHECK(table.keys == std::vector<std::string>{"k0000", "k0699"});
  CHECK(table.row(0)[1] == 0);
  CHECK(table.row(1)[0] == 699);
  const store::SeriesShape shape = store->series_shape(kSeries).value();
  CHECK(shape.runs == 2);
  CHECK(shape.keys.size() == 700);
}

TEST_CASE_FIXTURE(TableFixture, "series, commits and directories are listed") {
  const std::int64_t run = put("b", 1, {{"a", Number(1)}});
  put("a", 2, {{"a", Number(1)}});
  put("a", 3, {{"a", Number(1)}}, model::Outcome::ok, "2");
  CHECK(store->series_axes({}).value().size() == 2);
  CHECK(store->series_axes({{"nr_threads", "1"}}).value() == std::vector<Axes>{kSeries});
  CHECK(store->series_axes({{"nr_threads", "7"}}).value().empty());
  CHECK(store->commits().value() == std::vector<std::string>{"a", "b"});
  CHECK(store->directory(run).value().ends_with("results/1/b/1"));
  CHECK(store->directory(run + 100).value().empty());
  CHECK(store->series_table({{"testcase", "other"}}, {}).value().runs.empty());
}

TEST_CASE_FIXTURE(TableFixture, "damaged values are an error that says how to mend them") {
  const std::int64_t run = put("a", 1, {{"a", Number(1)}, {"b", Number(0.1)}});
  sqlite3* database = nullptr;
  REQUIRE(sqlite3_open((home.path() / "kilter.db").c_str(), &database) == SQLITE_OK);
  const std::string damage = fmt::format("UPDATE value SET data = x'ff' WHERE id >> 20 = {}", run);
  CHECK(sqlite3_exec(database, damage.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(database);
  const Result<SeriesTable> table = store->series_table(kSeries, {});
  REQUIRE_FALSE(table);
  CHECK(table.error().message.contains("damaged"));
  CHECK(table.error().hint.contains("kilter reindex"));
}
