#include "store/reindex.h"

#include "store/maildir.h"
#include "store/path_index.h"
#include "store/results.h"

#include <doctest/doctest.h>

using namespace kilter;
using model::RunRecord;

namespace {

// A home with finished run directories, made as a kilter makes them.
struct ReindexHome {
  os::TempDir dir = *os::TempDir::create("/tmp", "kilter-reindex");
  os::Path path = dir.path();

  RunRecord add(const std::string& commit, double started, std::string_view stats = R"({"a": 1, "b": 2.5})") {
    const os::Path tmp = store::begin_run(path).value();
    (void)os::write_file(tmp / "stats.json", stats);
    RunRecord record;
    record.axes = {{"testcase", "hackbench"}, {"commit", commit}};
    record.path_params = "100%-process";
    record.outcome = model::Outcome::ok;
    record.started = started;
    (void)store::commit_run(path, tmp, record).value();
    return record;
  }
};

}  // namespace

TEST_CASE_FIXTURE(ReindexHome, "a lost database is rebuilt from the run directories") {
  add("one", 10);
  add("one", 11);
  add("two", 12);
  const store::IndexReport report = store::reindex(path).value();
  CHECK(report.runs == 3);
  CHECK(report.skipped.empty());
  const std::unique_ptr<store::Store> store = *store::open_store(path / "kilter.db");
  CHECK(store->runs({})->size() == 3);
  CHECK(store->runs({})->front().record.directory.ends_with(
      "hackbench/100%-process/localhost/unknown/defconfig/"
      "unknown/two/0"));
  CHECK(store->matrix({{"testcase", "hackbench"}, {"commit", "one"}})->columns() == 2);
}

TEST_CASE_FIXTURE(ReindexHome, "a damaged run is named and skipped, a damaged database is replaced") {
  add("one", 10);
  add("bad", 11, R"({"a": 1, "b")");
  const RunRecord broken = add("worse", 12);
  REQUIRE(os::write_file(os::Path(broken.directory) / "outcome.json", "{}").has_value());
  REQUIRE(
      os::write_file(path / "kilter.db", "no database at all, but long enough to look like one").has_value());
  const Result<std::unique_ptr<store::Store>> damaged = store::open_store(path / "kilter.db");
  REQUIRE_FALSE(damaged.has_value());
  CHECK(damaged.error().hint.find("kilter reindex") != std::string::npos);
  const store::IndexReport report = store::reindex(path).value();
  CHECK(report.runs == 1);
  REQUIRE(report.skipped.size() == 2);
  CHECK(report.skipped[0].find("/bad/0/stats.json") != std::string::npos);
  CHECK(report.skipped[1].find("/worse/0/outcome.json") != std::string::npos);
}

TEST_CASE_FIXTURE(ReindexHome, "an open store goes on in the rebuilt database") {
  std::unique_ptr<store::Store> store = *store::open_store(path / "kilter.db");
  const RunRecord first = add("one", 10);
  REQUIRE(store->put(first, {{"a", 1}}).has_value());
  REQUIRE(store::reindex(path).has_value());
  const RunRecord second = add("two", 11);
  REQUIRE(store->put(second, {{"a", 2}}).has_value());
  CHECK((*store::open_store(path / "kilter.db"))->runs({})->size() == 2);
}

TEST_CASE_FIXTURE(ReindexHome, "a run whose entry was lost is caught up with") {
  const std::unique_ptr<store::Store> store = *store::open_store(path / "kilter.db");
  REQUIRE(store->put(add("one", 10), {{"a", 1}}).has_value());
  add("two", 11);
  CHECK(store::catch_up(path, *store)->runs == 1);
  CHECK(store::catch_up(path, *store)->runs == 0);
  CHECK(store->runs({})->size() == 2);
}

TEST_CASE_FIXTURE(ReindexHome, "result paths are found by parts and expressions, all of which must match") {
  add("abc", 10);
  add("abd", 11);
  REQUIRE(store::reindex(path).has_value());
  const std::unique_ptr<store::Store> store = *store::open_store(path / "kilter.db");
  const auto find = [&](std::vector<std::string> patterns) {
    return store::find_paths(path, *store, patterns);
  };
  CHECK(find({})->size() == 2);
  CHECK(find({"hackbench", "abc"})->size() == 1);
  CHECK(find({"^hackbench/100%", "/ab[cd]/0$"})->size() == 2);
  CHECK(find({"abc", "abd"})->empty());
  CHECK(find({"100%-process"})->front().find("/abc/") != std::string::npos);
  CHECK(find({"(unclosed"}).error().code == ErrorCode::usage);
}

TEST_CASE_FIXTURE(ReindexHome, "messages are delivered into new/ under names of their own") {
  const os::Path one = store::deliver(path / "outbox", "Subject: a\n\nb\n").value();
  const os::Path two = store::deliver(path / "outbox", "Subject: c\n\nd\n").value();
  CHECK(one != two);
  CHECK(one.parent_path() == path / "outbox/new");
  CHECK(*os::read_file(two) == "Subject: c\n\nd\n");
  CHECK(os::list_directory(path / "outbox/tmp").empty());
}
