#include "store/results.h"

#include <doctest/doctest.h>

#include <set>
#include <thread>

using namespace kilter;
using model::RunRecord;

namespace {

RunRecord record_of(const std::string& commit = "v1") {
  RunRecord record;
  record.axes = {{"testcase", "netperf"},  {"tbox_group", "box"},  {"rootfs", "debian"},
                 {"kconfig", "defconfig"}, {"compiler", "gcc-12"}, {"commit", commit},
                 {"nr_threads", "50%"}};
  record.path_params = "50%-300s-TCP_RR";
  record.outcome = model::Outcome::ok;
  return record;
}

}  // namespace

TEST_CASE("a result path follows LKP's scheme") {
  CHECK(store::result_path(record_of("abc")) == "netperf/50%-300s-TCP_RR/box/debian/defconfig/gcc-12/abc");
}

TEST_CASE("no value can leave its place in the tree") {
  CHECK(store::safe_component("../../etc") == "_.-..-etc");
  CHECK(store::safe_component("..") == "_.");
  CHECK(store::safe_component("") == "none");
  CHECK(store::safe_component("a/b\nc") == "a-b_c");
  CHECK(store::safe_component(std::string(5000, 'x')).size() == 200);
  CHECK(store::safe_component(std::string(5000, 'x')) != store::safe_component(std::string(5001, 'x')));
}

TEST_CASE("runs of a cell are numbered in turn and read back") {
  const os::TempDir home = *os::TempDir::create("/tmp", "kilter-results");
  for (int i = 0; i < 3; ++i) {
    const os::Path tmp = *store::begin_run(home.path());
    REQUIRE(os::write_file(tmp / "stats.json", R"({"b": 2.0, "a": 1})").has_value());
    RunRecord record = record_of();
    const Result<os::Path> place = store::commit_run(home.path(), tmp, record);
    REQUIRE(place.has_value());
    CHECK(record.number == i);
    CHECK(place->string() == record.directory);
    CHECK_FALSE(std::filesystem::exists(tmp));
  }
  const std::vector<os::Path> runs = store::run_directories(home.path());
  REQUIRE(runs.size() == 3);
  const RunRecord read = *store::read_record(runs[1]);
  CHECK(read.number == 1);
  CHECK(read.axes == record_of().axes);
  CHECK(store::read_stats(runs[1])->size() == 2);
}

TEST_CASE("runs committed at once never take the same number") {
  const os::TempDir home = *os::TempDir::create("/tmp", "kilter-results");
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 10; ++i) {
        RunRecord record = record_of();
        (void)store::commit_run(home.path(), *store::begin_run(home.path()), record);
      }
    });
  for (std::thread& thread : threads) thread.join();
  std::set<int> numbers;
  for (const os::Path& run : store::run_directories(home.path()))
    numbers.insert(store::read_record(run)->number);
  CHECK(numbers.size() == 40);
  CHECK(*numbers.rbegin() == 39);
}

TEST_CASE("what a killed kilter left behind is swept, what a living one records is not") {
  const os::TempDir home = *os::TempDir::create("/tmp", "kilter-results");
  const os::Path mine = *store::begin_run(home.path());
  std::string name = mine.filename().string();
  const std::size_t host = name.rfind('-', name.rfind('-') - 1);
  const os::Path dead = mine.parent_path() / (name.substr(0, host) + "-999999999-.abcdef");
  REQUIRE(os::make_directories(dead).has_value());
  CHECK(store::sweep_unfinished(home.path()) == 1);
  CHECK(std::filesystem::exists(mine));
  CHECK_FALSE(std::filesystem::exists(dead));
}
