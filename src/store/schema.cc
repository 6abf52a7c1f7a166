#include "store/schema.h"

#include <fmt/core.h>

#include <array>

namespace kilter::store {
namespace {

constexpr int kApplicationId = 0x4b4c5452;  // "KLTR"

// step n brings version n to n + 1; version 0 is an empty file. A step that has shipped never changes.
constexpr std::array<const char*, 3> kSteps = {
    // Version 1. A run's values are rows of `value`, numbered run << 20 | chunk; which metrics they belong to
    // is
    // a key set, shared by all runs that have the same. A run's directory is place/seat, the place relative
    // to
    // results/ unless it lies elsewhere. Texts that come again and again stand in `text` once.
    R"sql(
CREATE TABLE text(id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
CREATE TABLE metric(id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE);
CREATE TABLE key_set(id INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, size INTEGER NOT NULL, ids BLOB NOT NULL);
CREATE TABLE series(id INTEGER PRIMARY KEY, axes TEXT NOT NULL UNIQUE);
CREATE TABLE cell(id INTEGER PRIMARY KEY, axes TEXT NOT NULL UNIQUE, series INTEGER NOT NULL REFERENCES series,
                  revision TEXT NOT NULL);
CREATE INDEX cell_series ON cell(series, revision);
CREATE TABLE axis(name INTEGER NOT NULL REFERENCES text, value INTEGER NOT NULL REFERENCES text,
                  cell INTEGER NOT NULL REFERENCES cell, PRIMARY KEY(name, value, cell)) WITHOUT ROWID;
CREATE TABLE place(id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE);
CREATE TABLE run(id INTEGER PRIMARY KEY, place INTEGER NOT NULL REFERENCES place, seat INTEGER NOT NULL,
                 cell INTEGER NOT NULL REFERENCES cell, number INTEGER NOT NULL,
                 path_params INTEGER NOT NULL REFERENCES text, outcome INTEGER NOT NULL REFERENCES text,
                 reason INTEGER NOT NULL REFERENCES text, project INTEGER NOT NULL REFERENCES text,
                 build INTEGER NOT NULL REFERENCES text, boot INTEGER NOT NULL REFERENCES text,
                 session INTEGER NOT NULL REFERENCES text, fingerprint INTEGER NOT NULL REFERENCES text,
                 engine INTEGER NOT NULL REFERENCES text, block INTEGER NOT NULL, turn INTEGER NOT NULL,
                 started REAL NOT NULL, elapsed REAL NOT NULL, overhead REAL NOT NULL, monitor_cpu REAL NOT NULL,
                 key_set INTEGER NOT NULL REFERENCES key_set, UNIQUE(place, seat));
CREATE INDEX run_cell ON run(cell, outcome, started, key_set, boot, build);
CREATE INDEX run_started ON run(started);
CREATE TABLE value(id INTEGER PRIMARY KEY, data BLOB NOT NULL);
)sql",
    // Version 2: imported runs know where they came from.
    R"sql(
ALTER TABLE run ADD COLUMN origin INTEGER REFERENCES text;
CREATE INDEX run_origin ON run(origin) WHERE origin IS NOT NULL;
)sql",
    // Version 3: campaigns, which go on where they were.
    R"sql(
CREATE TABLE campaign(id INTEGER PRIMARY KEY, kind TEXT NOT NULL, key TEXT NOT NULL, request TEXT NOT NULL,
                      started REAL NOT NULL, ended REAL, answer TEXT NOT NULL);
CREATE INDEX campaign_key ON campaign(kind, key, started);
CREATE TABLE campaign_step(campaign INTEGER NOT NULL REFERENCES campaign, step INTEGER NOT NULL, text TEXT NOT NULL,
                           PRIMARY KEY(campaign, step)) WITHOUT ROWID;
)sql",
};
constexpr int kVersion = static_cast<int>(kSteps.size());

int pragma(SQLite::Database& database, const char* name) {
  return database.execAndGet(fmt::format("PRAGMA {}", name)).getInt();
}

Status check_owner(SQLite::Database& database, const os::Path& db) {
  const int version = pragma(database, "user_version");
  const bool ours = pragma(database, "application_id") == kApplicationId;
  const bool empty = database.execAndGet("SELECT count(*) FROM sqlite_master").getInt() == 0;
  if (!ours && (!empty || version != 0))
    return failure(fmt::format("opening '{}': it is the database of another program", db.string()),
                   "move it away, or use another --home");
  if (version > kVersion)
    return failure(fmt::format("opening '{}': its schema is version {}, this kilter knows {} at most",
                               db.string(), version, kVersion),
                   "use the newer kilter that wrote it, or another --home");
  return {};
}

}  // namespace

Status bring_up_to_date(SQLite::Database& database, const os::Path& db) {
  TRY(check_owner(database, db));
  if (pragma(database, "user_version") == kVersion) return {};
  SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
  // Another kilter may have done it while this one waited for the lock.
  TRY(check_owner(database, db));
  for (int version = pragma(database, "user_version"); version < kVersion; ++version)
    database.exec(kSteps[static_cast<std::size_t>(version)]);
  database.exec(
      fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {};", kApplicationId, kVersion));
  transaction.commit();
  return {};
}

Result<bool> is_up_to_date(SQLite::Database& database, const os::Path& db) {
  TRY(check_owner(database, db));
  return pragma(database, "user_version") == kVersion;
}

}  // namespace kilter::store
