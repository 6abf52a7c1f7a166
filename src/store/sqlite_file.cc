#include "store/sqlite_file.h"

#include "base/text.h"
#include "os/clock.h"
#include "store/key_set.h"
#include "store/schema.h"

#include <fmt/core.h>

#include <sqlite3.h>

namespace kilter::store {
namespace {

constexpr int kBusyMilliseconds = 15000;
constexpr std::int64_t kNoSeat = -1;

// Changing to WAL does not wait for other openers by itself.
void use_wal(SQLite::Database& database) {
  os::Clock& clock = os::system_clock();
  const double end = clock.monotonic() + kBusyMilliseconds / 1000.0;
  while (database.tryExec("PRAGMA journal_mode = WAL") == SQLITE_BUSY && clock.monotonic() < end)
    clock.sleep_until(clock.monotonic() + 0.01);
}

Path log_of(const Path& db) {
  return db.string() + "-wal";
}

// No file can be made or written there.
bool lacks_place(const SQLite::Exception& error) {
  const int code = error.getErrorCode() & 0xff;
  return code == SQLITE_CANTOPEN || code == SQLITE_READONLY || code == SQLITE_PERM;
}

// A name by which SQLite reads without locks and without a file beside it.
std::string unchanging(const Path& db) {
  std::string uri = replace_all(db.string(), "%", "%25");
  uri = replace_all(replace_all(uri, "?", "%3f"), "#", "%23");
  return "file:" + uri + "?immutable=1";
}

std::string hash_keys(const model::Metrics& metrics) {
  KeyHash hash;
  for (const model::Metric& metric : metrics) hash.add(metric.key);
  return hash.hex();
}

}  // namespace

Path lock_of(const Path& db) {
  return db.string() + ".lock";
}

Status SqliteFile::open() {
  return guarded("opening", db_, [&]() -> Status {
    // Not while reindex exchanges the file and its log; in a read-only place nothing is exchanged.
    const Result<os::FileLock> lock = os::FileLock::acquire(lock_of(db_), kBusyMilliseconds / 1000.0);
    interned_ = {};
    statements_.clear();
    database_.reset();
    copy_.reset();
    if (access_ == Access::read) return open_to_read();
    connect(db_.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    use_wal(*database_);
    // A power cut may lose the last puts from the index; their run directories are there, and reindex finds
    // them.
    database_->exec("PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16000;");
    return bring_up_to_date(*database_, db_);
  });
}

// One thread a store, so no mutexes. Mapping the file (mmap_size) was measured: it makes a series slower.
void SqliteFile::connect(const std::string& name, int flags) {
  database_ = std::make_unique<SQLite::Database>(name, flags | SQLITE_OPEN_NOMUTEX, kBusyMilliseconds);
}

Status SqliteFile::open_to_read() {
  try {
    connect(db_.string(), SQLite::OPEN_READONLY);
    ASSIGN_OR_RETURN(const bool current, is_up_to_date(*database_, db_));
    if (current) return {};
    connect(db_.string(), SQLite::OPEN_READWRITE);
    return bring_up_to_date(*database_, db_);
  } catch (const SQLite::Exception& error) {
    if (!lacks_place(error) || os::size_of_file(db_) == 0) throw;
  }
  // SQLite reads a file in WAL mode through others beside it, which cannot be made here. With an empty log
  // the file is all there is.
  if (os::size_of_file(log_of(db_)) == 0) {
    connect(unchanging(db_), SQLite::OPEN_READONLY | SQLite::OPEN_URI);
    ASSIGN_OR_RETURN(const bool current, is_up_to_date(*database_, db_));
    if (current) return {};
  }
  return open_copy();
}

Status SqliteFile::open_copy() {
  std::error_code failed;
  const Path place = std::filesystem::temp_directory_path(failed);
  ASSIGN_OR_RETURN(copy_, os::TempDir::create(failed ? Path("/tmp") : place, "kilter-read"));
  const Path copy = copy_->path() / "kilter.db";
  TRY(os::append_contents(db_, copy));
  if (os::size_of_file(log_of(db_)) > 0) TRY(os::append_contents(log_of(db_), log_of(copy)));
  connect(copy.string(), SQLite::OPEN_READWRITE);
  return bring_up_to_date(*database_, db_);
}

Status SqliteFile::reopen_if_replaced() {
  return !in_transaction_ && is_replaced() ? open() : Status{};
}

bool SqliteFile::is_replaced() {
  if (copy_) return false;
  int moved = 0;
  sqlite3_file_control(database_->getHandle(), "main", SQLITE_FCNTL_HAS_MOVED, &moved);
  return moved != 0;
}

Status SqliteFile::transact(const std::function<Status()>& work) {
  if (in_transaction_) return work();
  std::optional<SQLite::Transaction> transaction;
  transaction.emplace(*database_, SQLite::TransactionBehavior::IMMEDIATE);
  while (is_replaced()) {  // while this one waited for the other's lock
    transaction.reset();
    TRY(open());
    transaction.emplace(*database_, SQLite::TransactionBehavior::IMMEDIATE);
  }
  in_transaction_ = true;
  // What was interned in a transaction that is rolled back is not there.
  try {
    Status done = work();
    if (done) transaction->commit();
    if (!done) interned_ = {};
    in_transaction_ = false;
    return done;
  } catch (...) {
    in_transaction_ = false;
    interned_ = {};
    throw;
  }
}

Using SqliteFile::statement(const std::string& sql) {
  auto it = statements_.find(sql);
  if (it == statements_.end())
    it = statements_
             .emplace(std::piecewise_construct, std::forward_as_tuple(sql),
                      std::forward_as_tuple(*database_, sql))
             .first;
  return Using(it->second);
}

SqliteFile::Table SqliteFile::table(const std::string& name, const std::string& column) {
  return {statement("SELECT id FROM " + name + " WHERE " + column + " = ?"),
          statement("INSERT INTO " + name + "(" + column + ") VALUES(?)")};
}

std::int64_t SqliteFile::intern(Ids& known, Table&& table, const std::string& text) {
  return intern(known, table, text);
}

std::int64_t SqliteFile::intern(Ids& known, Table& table, const std::string& text) {
  std::int64_t& id = known[text];
  if (id != 0) return id;
  table.found->reset();
  table.found->bindNoCopy(1, text);
  if (table.found->executeStep()) return id = table.found->getColumn(0).getInt64();
  table.added->reset();
  table.added->bindNoCopy(1, text);
  table.added->exec();
  return id = last_id();
}

std::int64_t SqliteFile::text_id(const std::string& text) {
  return intern(interned_.texts, table("text", "text"), text);
}

std::int64_t SqliteFile::cell_id(const model::Axes& axes) {
  const std::string key = model::axes_key(axes);
  std::int64_t& id = interned_.cells[key];
  if (id != 0) return id;
  Using found = statement("SELECT id FROM cell WHERE axes = ?");
  if (found.bind(key)->executeStep()) return id = found->getColumn(0).getInt64();
  Ids series;
  const std::int64_t series_id =
      intern(series, table("series", "axes"), model::axes_key(model::without(axes, "commit")));
  const auto commit = axes.find("commit");
  Using cell = statement("INSERT INTO cell(axes, series, revision) VALUES(?, ?, ?)");
  cell.bind(key, series_id, commit == axes.end() ? std::string() : commit->second)->exec();
  const std::int64_t added = last_id();
  for (const auto& [name, value] : axes) {
    const std::int64_t name_id = text_id(name);
    const std::int64_t value_id = text_id(value);
    Using axis = statement("INSERT INTO axis(name, value, cell) VALUES(?, ?, ?)");
    axis.bind(name_id, value_id, added)->exec();
  }
  return id = added;
}

std::int64_t SqliteFile::key_set_id(const model::Metrics& metrics) {
  const std::string hash = hash_keys(metrics);
  std::int64_t& id = interned_.key_sets[hash];
  if (id != 0) return id;
  Using found = statement("SELECT id FROM key_set WHERE hash = ?");
  if (found.bind(hash)->executeStep()) return id = found->getColumn(0).getInt64();
  std::vector<std::int64_t> ids;
  ids.reserve(metrics.size());
  Table table_of_metrics = table("metric", "key");
  for (const model::Metric& metric : metrics)
    ids.push_back(intern(interned_.metrics, table_of_metrics, metric.key));
  const std::string bytes = encode_ids(ids);
  Using added = statement("INSERT INTO key_set(hash, size, ids) VALUES(?, ?, ?)");
  added.bind(hash, static_cast<std::int64_t>(metrics.size()));
  added->bind(3, bytes.data(), static_cast<int>(bytes.size()));
  added->exec();
  return id = last_id();
}

std::pair<std::int64_t, std::int64_t> SqliteFile::place_of(const std::string& directory) {
  const std::string results = (db_.parent_path() / "results").string() + "/";
  std::string place = directory.starts_with(results) ? directory.substr(results.size()) : directory;
  const std::size_t slash = place.rfind('/');
  std::int64_t seat = kNoSeat;
  // "007" would not come back as it was.
  if (slash != std::string::npos) seat = parse_int(place.substr(slash + 1)).value_or(kNoSeat);
  if (seat < 0 || place.substr(slash + 1) != std::to_string(seat)) seat = kNoSeat;
  if (seat != kNoSeat) place.resize(slash);
  return {intern(interned_.places, table("place", "path"), place), seat};
}

std::string SqliteFile::directory_of(const std::string& place, std::int64_t seat) const {
  const std::string path = seat == kNoSeat ? place : place + "/" + std::to_string(seat);
  return path.starts_with('/') ? path : (db_.parent_path() / "results" / path).string();
}

const std::string& SqliteFile::look_up(Texts& known, const std::string& sql, std::int64_t id) {
  const auto [it, fresh] = known.try_emplace(id);
  if (!fresh) return it->second;
  Using row = statement(sql);
  if (row.bind(id)->executeStep()) it->second = row->getColumn(0).getString();
  return it->second;
}

const std::string& SqliteFile::text(std::int64_t id) {
  return look_up(interned_.text_of, "SELECT text FROM text WHERE id = ?", id);
}

const std::string& SqliteFile::metric_key(std::int64_t id) {
  return look_up(interned_.metric_of, "SELECT key FROM metric WHERE id = ?", id);
}

const KeySet* SqliteFile::key_set(std::int64_t id) {
  if (const auto it = interned_.key_set_of.find(id); it != interned_.key_set_of.end()) return &it->second;
  Using row = statement("SELECT size, ids FROM key_set WHERE id = ?");
  if (!row.bind(id)->executeStep()) return nullptr;
  KeySet& set = interned_.key_set_of[id];
  set.size = static_cast<std::size_t>(row->getColumn(0).getInt64());
  set.ids = row->getColumn(1).getString();
  return &set;
}

}  // namespace kilter::store
