#include "store/store.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace kilter;
using model::Axes;
using model::Metrics;
using model::Number;
using model::RunRecord;
using store::Store;

namespace {

RunRecord record_of(const os::Path& home, const std::string& commit, int number) {
  RunRecord record;
  record.axes = {{"testcase", "netperf"}, {"commit", commit}, {"nr_threads", "50%"}};
  record.path_params = "50%";
  record.number = number;
  record.directory = (home / "results/netperf/50%" / commit / std::to_string(number)).string();
  record.outcome = model::Outcome::ok;
  record.started = 1000 + number;
  return record;
}

// The contract of Store, run against each kind of store.
struct Fixture {
  os::TempDir home = *os::TempDir::create("/tmp", "kilter-store");
  std::unique_ptr<Store> store = *store::open_store(home.path() / "kilter.db");

  std::int64_t put(const std::string& commit, int number, const Metrics& metrics,
                   model::Outcome outcome = model::Outcome::ok) {
    RunRecord record = record_of(home.path(), commit, number);
    record.outcome = outcome;
    return store->put(record, metrics).value();
  }
};

}  // namespace

TEST_CASE_FIXTURE(Fixture, "a run comes back as it was put") {
  RunRecord record = record_of(home.path(), "abc", 3);
  record.reason = "none";
  record.project = "queue";
  record.build_id = "b1";
  record.boot_id = "boot";
  record.session = "s1";
  record.block = 4;
  record.place = 1;
  record.fingerprint = "f";
  record.engine = "builtin";
  record.elapsed = 1.5;
  record.overhead = 0.25;
  record.monitor_cpu = 0.125;
  record.axes["path"] = "/usr/%2f = x ";
  const Metrics metrics = {{"a", Number(1)}, {"b", Number(2.0)}, {"c", Number(0.1 + 0.2)}};
  const std::int64_t id = store->put(record, metrics).value();
  const std::vector<store::StoredRun> runs = *store->runs({});
  REQUIRE(runs.size() == 1);
  CHECK(runs[0].id == id);
  const RunRecord& read = runs[0].record;
  CHECK(read.axes == record.axes);
  CHECK(read.directory == record.directory);
  CHECK(read.number == 3);
  CHECK(read.reason == "none");
  CHECK(read.project == "queue");
  CHECK(read.build_id == "b1");
  CHECK(read.boot_id == "boot");
  CHECK(read.session == "s1");
  CHECK(read.block == 4);
  CHECK(read.place == 1);
  CHECK(read.fingerprint == "f");
  CHECK(read.engine == "builtin");
  CHECK(read.started == 1003);
  CHECK(read.elapsed == 1.5);
  CHECK(read.overhead == 0.25);
  CHECK(read.monitor_cpu == 0.125);
  const Metrics values = *store->metrics(id);
  REQUIRE(values.size() == 3);
  CHECK(values[2].key == "c");
  CHECK(values[2].value == Number(0.1 + 0.2));
  CHECK_FALSE(store->metrics(id + 1).has_value());
}

TEST_CASE_FIXTURE(Fixture, "putting a run again replaces it") {
  const std::int64_t first = put("abc", 0, {{"a", 1}});
  const std::int64_t second = put("abc", 0, {{"a", 2}, {"b", 3}});
  CHECK(first == second);
  CHECK(store->runs({})->size() == 1);
  CHECK(store->metrics(first)->size() == 2);
}

TEST_CASE_FIXTURE(Fixture, "metrics in any order are kept sorted, each once, numbers only") {
  const std::int64_t id = put("abc", 0, {{"b", 1}, {"a", 2}, {"b", 3}, {"n", Number(std::nan(""))}});
  const Metrics values = *store->metrics(id);
  REQUIRE(values.size() == 2);
  CHECK(values[0].key == "a");
  CHECK(values[1].value == Number(3));
}

TEST_CASE_FIXTURE(Fixture, "runs are found by axes, outcome and age, newest first") {
  put("abc", 0, {{"a", 1}});
  put("abc", 1, {{"a", 1}}, model::Outcome::crashed);
  put("def", 2, {{"a", 1}});
  CHECK(store->runs({})->front().record.started == 1002);
  CHECK(store->runs({.axes = {{"commit", "abc"}}})->size() == 2);
  CHECK(store->runs({.axes = {{"commit", "abc"}, {"nr_threads", "50%"}}})->size() == 2);
  CHECK(store->runs({.axes = {{"commit", "xyz"}}})->empty());
  CHECK(store->runs({.outcome = model::Outcome::crashed})->size() == 1);
  CHECK(store->runs({.since = 1001})->size() == 2);
  CHECK(store->runs({.limit = 1})->size() == 1);
  CHECK(store->cells({{"testcase", "netperf"}})->size() == 2);
  CHECK(store->cells({{"commit", "def"}})->front().at("commit") == "def");
  CHECK(store->directories()->size() == 3);
}

TEST_CASE_FIXTURE(Fixture, "a cell's matrix has only ok runs, and a missing sample is missing") {
  put("abc", 0, {{"a", 1}, {"b", 2}});
  put("abc", 1, {{"a", 9}}, model::Outcome::test_failed);
  put("abc", 2, {{"a", 3}, {"c", 4.5}});
  const model::Matrix matrix = *store->matrix(record_of(home.path(), "abc", 0).axes);
  REQUIRE(matrix.columns() == 2);
  REQUIRE(matrix.rows.size() == 3);
  CHECK(matrix.sources[1].ends_with("/2/stats.json"));
  CHECK(matrix.find("a")->values == std::vector<std::optional<Number>>{Number(1), Number(3)});
  CHECK(matrix.find("b")->values == std::vector<std::optional<Number>>{Number(2), std::nullopt});
  CHECK(matrix.find("c")->values == std::vector<std::optional<Number>>{std::nullopt, Number(4.5)});
}

TEST_CASE_FIXTURE(Fixture, "a series is one metric of all commits, oldest first") {
  put("new", 5, {{"a", 1}, {"b", 50}});
  put("old", 1, {{"b", 10}});
  put("old", 2, {{"a", 7}});
  put("old", 3, {{"b", 99}}, model::Outcome::timed_out);
  const Axes axes = model::without(record_of(home.path(), "x", 0).axes, "commit");
  const std::vector<store::SeriesPoint> points = *store->series(axes, "b");
  REQUIRE(points.size() == 2);
  CHECK(points[0].commit == "old");
  CHECK(points[0].value == Number(10));
  CHECK(points[1].commit == "new");
  CHECK(points[1].value == Number(50));
  CHECK(store->series(axes, "no such")->empty());
  CHECK(store->series({{"testcase", "other"}}, "b")->empty());
}

TEST_CASE_FIXTURE(Fixture, "puts made together are all there or none") {
  CHECK_FALSE(store
                  ->together([&]() -> Status {
                    put("abc", 0, {{"a", 1}});
                    return failure("stopped");
                  })
                  .has_value());
  CHECK(store->runs({})->empty());
  REQUIRE(store
              ->together([&]() -> Status {
                put("abc", 0, {{"a", 1}});
                put("abc", 1, {{"a", 1}});
                return {};
              })
              .has_value());
  CHECK(store->runs({})->size() == 2);
}
