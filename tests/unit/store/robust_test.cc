#include "store/lkp_json.h"
#include "store/reindex.h"
#include "store/results.h"
#include "store/store.h"

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <csignal>
#include <fstream>
#include <functional>
#include <sqlite3.h>
#include <sstream>
#include <thread>
#include <unistd.h>

using namespace kilter;
using model::Metrics;
using model::Number;
using model::RunRecord;
using store::Path;

namespace {

// A child process that runs `work` and ends with its status.
pid_t in_child(const std::function<int()>& work) {
  const pid_t pid = ::fork();
  if (pid == 0) ::_exit(work());
  return pid;
}

int status_of(pid_t pid) {
  int status = 0;
  ::waitpid(pid, &status, 0);
  return status;
}

// Records and stores one run as a kilter does; false when that failed.
bool make_run(const Path& home, store::Store& db, const std::string& commit, int i) {
  const Result<Path> tmp = store::begin_run(home);
  if (!tmp) return false;
  Metrics metrics;
  for (int key = 0; key < 300; ++key)
    metrics.push_back({"vmstat.k" + std::to_string(1000 + key), Number(key * i)});
  RunRecord record;
  record.axes = {{"testcase", "t"}, {"commit", commit}};
  record.outcome = model::Outcome::ok;
  record.started = i;
  return os::write_file(*tmp / "stats.json", store::write_stats(metrics)) &&
         store::commit_run(home, *tmp, record) && db.put(record, metrics);
}

int make_runs(const Path& home, const std::string& commit, int count) {
  const Result<std::unique_ptr<store::Store>> db = store::open_store(home / "kilter.db");
  if (!db) return 2;
  for (int i = 0; i < count; ++i)
    if (!make_run(home, **db, commit, i)) return 1;
  return 0;
}

void run_sql(const Path& db, const std::string& sql) {
  sqlite3* handle = nullptr;
  REQUIRE(sqlite3_open(db.c_str(), &handle) == SQLITE_OK);
  CHECK(sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(handle);
}

struct Home {
  os::TempDir dir = *os::TempDir::create("/tmp", "kilter-robust");
  Path path = dir.path();
  Path db = path / "kilter.db";
};

}  // namespace

TEST_CASE_FIXTURE(Home, "a writer killed at any moment loses no finished run") {
  for (int round = 1; round <= 3; ++round) {
    const pid_t writer = in_child([&] { return make_runs(path, "c" + std::to_string(round), 1000000); });
    const std::size_t enough = store::run_directories(path).size() + 5 + static_cast<std::size_t>(round) * 3;
    for (int wait = 0; wait < 2000 && store::run_directories(path).size() < enough; ++wait) ::usleep(2000);
    ::kill(writer, SIGKILL);
    CHECK(WIFSIGNALED(status_of(writer)));
    const std::vector<Path> finished = store::run_directories(path);
    CHECK(finished.size() >= enough);
    const std::unique_ptr<store::Store> store = *store::open_store(db);
    // At most the run that was being entered is not in the index yet.
    CHECK(store->runs({})->size() + 1 >= finished.size());
    REQUIRE(store::catch_up(path, *store).has_value());
    const std::vector<store::StoredRun> runs = *store->runs({});
    CHECK(runs.size() == finished.size());
    for (const store::StoredRun& run : runs) REQUIRE(store->metrics(run.id)->size() == 300);
    CHECK(store::sweep_unfinished(path) <= 1);
    CHECK(os::list_directory(path / "results/.tmp").empty());
  }
}

TEST_CASE_FIXTURE(Home, "two kilters write at once, into one cell") {
  const pid_t first = in_child([&] { return make_runs(path, "same", 25); });
  const pid_t second = in_child([&] { return make_runs(path, "same", 25); });
  CHECK(status_of(first) == 0);
  CHECK(status_of(second) == 0);
  const std::unique_ptr<store::Store> store = *store::open_store(db);
  CHECK(store->matrix({{"testcase", "t"}, {"commit", "same"}})->columns() == 50);
}

TEST_CASE_FIXTURE(Home, "runs finished while the index is rebuilt are in it") {
  REQUIRE(make_runs(path, "before", 10) == 0);
  const pid_t writer = in_child([&] { return make_runs(path, "during", 30); });
  for (int i = 0; i < 3; ++i) REQUIRE(store::reindex(path).has_value());
  CHECK(status_of(writer) == 0);
  const std::unique_ptr<store::Store> store = *store::open_store(db);
  CHECK(store->runs({})->size() == 40);
}

TEST_CASE_FIXTURE(Home, "an older schema is brought up to date with all it holds") {
  std::ifstream file(std::string(TESTS_DIR) + "/golden/store/v1.sql");
  std::stringstream sql;
  sql << file.rdbuf();
  run_sql(db, sql.str());
  const std::unique_ptr<store::Store> store = *store::open_store(db);
  const std::vector<store::StoredRun> runs = *store->runs({});
  REQUIRE(runs.size() == 3);
  CHECK(runs[0].record.axes.at("commit") == "two");
  CHECK(runs[0].record.directory ==
        (path / "results/hackbench/50%/box/debian/defconfig/gcc-12/two/0").string());
  CHECK(runs[1].record.reason == "oops");
  CHECK(runs[2].record.boot_id == "boot-0");
  CHECK(runs[2].record.origin.empty());
  const Metrics metrics = *store->metrics(runs[0].id);
  REQUIRE(metrics.size() == 151);
  CHECK(metrics[1].value == Number(3));
  CHECK(metrics[2].value == Number(2 / 7.0 + 2));
  CHECK(metrics[150].value == Number(3.25));
  CHECK(store->series({{"testcase", "hackbench"}, {"nr_threads", "50%"}}, "vmstat.key1003")->size() == 2);
  REQUIRE(make_run(path, *store, "new", 1));
  CHECK(store->runs({})->size() == 4);
}

TEST_CASE_FIXTURE(Home, "a newer schema and a foreign database are left alone and said so") {
  REQUIRE(make_runs(path, "c", 1) == 0);
  run_sql(db, "PRAGMA user_version = 99");
  const Error newer = store::open_store(db).error();
  CHECK(newer.message ==
        "opening '" + db.string() + "': its schema is version 99, this kilter knows 3 at most");
  CHECK(newer.hint.find("newer kilter") != std::string::npos);
  CHECK(store::open_store(db, store::Access::read).error().message == newer.message);
  const Path foreign = path / "other.db";
  run_sql(foreign, "CREATE TABLE t(x)");
  CHECK(store::open_store(foreign).error().message ==
        "opening '" + foreign.string() + "': it is the database of another program");
}

TEST_CASE_FIXTURE(Home, "a place that cannot be written or made is one clear line") {
  CHECK(store::open_store("/proc/kilter.db").error().message ==
        "opening '/proc/kilter.db': it cannot be opened or made");
  CHECK(store::open_store(path / "no/such/kilter.db").error().message.find("cannot be opened or made") !=
        std::string::npos);
  CHECK_FALSE(store::open_store(path / "none.db", store::Access::read).has_value());
  CHECK_FALSE(std::filesystem::exists(path / "none.db"));
}

namespace {

// What `look` answers where the home cannot be written: 0 is right.
int as_stranger(const Path& home, const std::function<int()>& look) {
  namespace fs = std::filesystem;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(home))
    fs::permissions(entry, entry.is_directory() ? fs::perms(0555) : fs::perms(0444));
  fs::permissions(home, fs::perms(0555));
  const pid_t child = in_child([&] {
    constexpr uid_t kNobody = 65534;
    if (::geteuid() == 0 && (::setgid(kNobody) != 0 || ::setuid(kNobody) != 0)) return 50;
    if (::access(home.c_str(), W_OK) == 0) return 51;
    return look();
  });
  const int status = WEXITSTATUS(status_of(child));
  fs::permissions(home, fs::perms(0755));
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(home))
    if (entry.is_directory()) fs::permissions(entry, fs::perms(0755));
  return status;
}

int count_runs(const Path& db) {
  const Result<std::unique_ptr<store::Store>> store = store::open_store(db, store::Access::read);
  if (!store) return 60;
  const Result<std::vector<store::StoredRun>> runs = (*store)->runs({});
  return runs ? static_cast<int>(runs->size()) : 61;
}

}  // namespace

TEST_CASE_FIXTURE(Home, "a home that may only be read is read") {
  REQUIRE(make_runs(path, "c", 2) == 0);
  CHECK(as_stranger(path, [&] { return count_runs(db); }) == 2);
  CHECK(as_stranger(path, [&] { return store::open_store(db) ? 70 : 0; }) == 0);
  CHECK(count_runs(db) == 2);
}

TEST_CASE_FIXTURE(Home, "runs in the log of a killed kilter are read in a place that may only be read") {
  const Path killed = path / "killed.db";
  const Path log = killed.string() + "-wal";
  REQUIRE(make_runs(path, "c", 1) == 0);
  {
    const std::unique_ptr<store::Store> writer = *store::open_store(db);
    REQUIRE(make_run(path, *writer, "d", 1));
    REQUIRE(os::append_contents(db, killed));
    REQUIRE(os::append_contents(db.string() + "-wal", log));
  }
  REQUIRE(os::size_of_file(log) > 0);
  CHECK(as_stranger(path, [&] { return count_runs(killed); }) == 2);
}

TEST_CASE_FIXTURE(Home, "an older schema is read in a place that may only be read, and left as it is") {
  std::ifstream file(std::string(TESTS_DIR) + "/golden/store/v1.sql");
  std::stringstream sql;
  sql << file.rdbuf();
  run_sql(db, sql.str());
  const std::string before = *os::read_file(db);
  CHECK(as_stranger(path, [&] { return count_runs(db); }) == 3);
  CHECK(*os::read_file(db) == before);
  CHECK(count_runs(db) == 3);
}

TEST_CASE_FIXTURE(Home, "readers work while another process holds the write lock, writers wait for it") {
  REQUIRE(make_runs(path, "c", 1) == 0);
  sqlite3* holder = nullptr;
  REQUIRE(sqlite3_open(db.c_str(), &holder) == SQLITE_OK);
  REQUIRE(sqlite3_exec(holder, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr) == SQLITE_OK);
  CHECK((*store::open_store(db, store::Access::read))->runs({})->size() == 1);
  std::thread release([&] {
    ::usleep(200000);
    sqlite3_exec(holder, "ROLLBACK", nullptr, nullptr, nullptr);
  });
  CHECK(make_runs(path, "d", 1) == 0);
  release.join();
  sqlite3_close(holder);
}

TEST_CASE_FIXTURE(Home, "a database that lacks a table is damaged, and there is a way out") {
  REQUIRE(make_runs(path, "c", 1) == 0);
  sqlite3* raw = nullptr;
  REQUIRE(sqlite3_open(db.c_str(), &raw) == SQLITE_OK);
  REQUIRE(sqlite3_exec(raw, "DROP TABLE value", nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(raw);
  const std::unique_ptr<store::Store> store = *store::open_store(db);
  const Result<Metrics> metrics = store->metrics(1);
  REQUIRE_FALSE(metrics);
  CHECK(metrics.error().message.ends_with("it is damaged: no such table: value"));
  CHECK(metrics.error().hint == "rebuild it from the run directories: kilter reindex");
}

TEST_CASE_FIXTURE(Home, "a full disk is said, and what was stored stays") {
  REQUIRE(make_runs(path, "c", 3) == 0);
  // A file size limit is how a test can fill the disk.
  const pid_t child = in_child([&] {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{200000, 200000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const Result<std::unique_ptr<store::Store>> store = store::open_store(db);
    if (!store) return 10;
    for (int i = 0; i < 2000; ++i) {
      RunRecord record;
      record.axes = {{"testcase", "t"}, {"commit", std::to_string(i)}};
      record.directory = (path / "results" / std::to_string(i)).string();
      Metrics metrics;
      for (int key = 0; key < 300; ++key)
        metrics.push_back({"k" + std::to_string(1000 + key), Number(key / 7.0 + i)});
      const Result<std::int64_t> id = (*store)->put(record, metrics);
      if (!id) return id.error().hint.find("reindex") != std::string::npos ? 0 : 11;
    }
    return 12;
  });
  CHECK(status_of(child) == 0);
  const std::unique_ptr<store::Store> store = *store::open_store(db);
  CHECK(store->runs({.axes = {{"commit", "c"}}})->size() == 3);
  const std::vector<store::StoredRun> runs = *store->runs({});
  for (const store::StoredRun& run : runs) {
    const Result<Metrics> metrics = store->metrics(run.id);
    INFO((metrics ? "" : metrics.error().message));
    REQUIRE(metrics.has_value());
    CHECK(metrics->size() == 300);
  }
}
