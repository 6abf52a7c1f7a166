#include "store/reindex.h"

#include "os/interrupt.h"
#include "store/results.h"
#include "store/sqlite_file.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

namespace kilter::store {
namespace {

constexpr std::size_t kBatch = 200;  // runs a transaction

void remove_database(const Path& db) {
  for (const char* const suffix : {"", "-wal", "-shm"}) (void)os::remove_tree(db.string() + suffix);
  (void)os::remove_tree(lock_of(db));
}

// A damaged run directory is skipped and named; only the database can make this fail.
Status take_in_one(Store& store, const Path& directory, IndexReport& report) {
  const Result<model::RunRecord> record = read_record(directory);
  const Result<model::Metrics> metrics =
      record ? read_stats(directory) : Result<model::Metrics>(fail(record.error()));
  if (!metrics) {
    report.skipped.push_back(metrics.error().message);
    return {};
  }
  const Result<std::int64_t> id = store.put(*record, *metrics);
  if (!id) return fail(id.error());
  ++report.runs;
  return {};
}

// Closing folded the new file's log into it; the old one's log must never be taken for the new one's.
Status exchange(const Path& fresh, const Path& db) {
  ASSIGN_OR_RETURN(const os::FileLock lock, os::FileLock::acquire(lock_of(db), 15));
  for (const char* const suffix : {"-wal", "-shm"}) TRY(os::remove_tree(db.string() + suffix));
  return os::rename_path(fresh, db);
}

Status copy_campaigns(Store& from, Store& to) {
  ASSIGN_OR_RETURN(const std::vector<Campaign> campaigns, from.campaigns("", ""));
  return to.together([&]() -> Status {
    for (const Campaign& campaign : campaigns) {
      ASSIGN_OR_RETURN(const std::int64_t id, to.begin_campaign(campaign));
      ASSIGN_OR_RETURN(const std::vector<std::string> steps, from.campaign_steps(id));
      for (const std::string& step : steps) TRY(to.add_campaign_step(id, step));
    }
    return {};
  });
}

// With the campaigns of the old database, to which nobody writes meanwhile. One that cannot be read loses
// them, and nothing else.
Status replace_database(const Path& fresh, const Path& db, IndexReport& report) {
  if (!os::is_there(db)) return exchange(fresh, db);
  Result<std::unique_ptr<Store>> old = open_store(db);
  Status exchanged;
  bool tried = false;
  const auto copy = [&]() -> Status {
    {
      ASSIGN_OR_RETURN(const std::unique_ptr<Store> store, open_store(fresh));
      TRY(copy_campaigns(**old, *store));
    }
    tried = true;
    return exchanged = exchange(fresh, db);
  };
  const Status copied = old ? (*old)->together(copy) : fail(old.error());
  if (tried) return exchanged;
  report.notes.push_back("keeping the campaigns of the old database: " + copied.error().message);
  return exchange(fresh, db);
}

Result<IndexReport> take_in(Store& store, const std::vector<Path>& directories, const Progress& progress) {
  IndexReport report;
  for (std::size_t from = 0; from < directories.size(); from += kBatch) {
    if (os::interrupted()) return interrupted("indexing was interrupted");
    const std::size_t to = std::min(from + kBatch, directories.size());
    TRY(store.together([&]() -> Status {
      for (std::size_t i = from; i < to; ++i) {
        const Status taken = take_in_one(store, directories[i], report);
        if (!taken) return taken;
      }
      return {};
    }));
    if (progress) progress(to, directories.size());
  }
  return report;
}

Result<IndexReport> make_index(const Path& home, const Path& fresh, const Progress& progress) {
  ASSIGN_OR_RETURN(const std::unique_ptr<Store> store, open_store(fresh));
  return take_in(*store, run_directories(home), progress);
}

}  // namespace

Result<IndexReport> catch_up(const Path& home, Store& store, const Progress& progress) {
  ASSIGN_OR_RETURN(const std::vector<std::string> known, store.directories());
  const std::set<std::string> indexed(known.begin(), known.end());
  std::vector<Path> missing = run_directories(home);
  std::erase_if(missing, [&](const Path& directory) { return indexed.contains(directory.string()); });
  return take_in(store, missing, progress);
}

Result<IndexReport> reindex(const Path& home, const Progress& progress) {
  TRY(os::make_directories(home));
  ASSIGN_OR_RETURN(const os::FileLock lock, os::FileLock::acquire(home / ".reindex.lock", 0));
  const Path fresh = home / "kilter.db.new";
  const Path db = home / "kilter.db";
  remove_database(fresh);
  Result<IndexReport> made = make_index(home, fresh, progress);
  const Status exchanged = made ? replace_database(fresh, db, *made) : fail(made.error());
  remove_database(fresh);
  TRY(exchanged);
  IndexReport& report = *made;
  ASSIGN_OR_RETURN(const std::unique_ptr<Store> store, open_store(db));
  ASSIGN_OR_RETURN(const IndexReport late, catch_up(home, *store));
  report.runs += late.runs;
  return made;
}

}  // namespace kilter::store
