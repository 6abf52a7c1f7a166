#include "base/hash.h"
#include "base/text.h"
#include "os/clock.h"
#include "store/key_set.h"
#include "store/schema.h"
#include "store/sqlite.h"
#include "store/store.h"
#include "store/value_blob.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <sqlite3.h>
#include <unordered_map>

namespace kilter::store {
namespace {

using model::Axes;
using model::Matrix;
using model::MatrixRow;
using model::Metric;
using model::Metrics;
using model::Number;
using model::RunRecord;

constexpr int kBusyMilliseconds = 15000;
constexpr std::size_t kMostMetrics = std::size_t{1} << 22;

const char* const kRunColumns =
    "r.id, r.path, c.axes, r.number, r.path_params, r.outcome, r.reason, r.project, r.build, r.boot, "
    "r.session, "
    "r.block, r.place, r.fingerprint, r.engine, r.started, r.elapsed, r.overhead, r.monitor_cpu";

struct KeySet {
  std::size_t size = 0;
  std::string ids;
};

// What has been read from the interning tables; correct for ever, since those only grow.
struct Interned {
  std::unordered_map<std::string, std::int64_t> cells;   // axes key -> cell
  std::unordered_map<std::string, std::int64_t> hashes;  // hash of keys -> key set
  std::unordered_map<std::int64_t, KeySet> key_sets;
  std::unordered_map<std::int64_t, std::string> metrics;  // id -> key
};

// Sorted by key, each key once (its last value), NaN and infinities left out.
Metrics tidy(const Metrics& metrics) {
  Metrics kept;
  kept.reserve(metrics.size());
  for (const Metric& metric : metrics)
    if (std::isfinite(metric.value.value())) kept.push_back(metric);
  if (!std::ranges::is_sorted(kept, {}, &Metric::key)) std::ranges::stable_sort(kept, {}, &Metric::key);
  std::size_t used = 0;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (i + 1 < kept.size() && kept[i].key == kept[i + 1].key) continue;
    if (used != i) kept[used] = std::move(kept[i]);
    ++used;
  }
  kept.resize(used);
  return kept;
}

std::string hash_keys(const Metrics& metrics) {
  Sha256 hash;
  std::string part;
  for (const Metric& metric : metrics) {
    part += metric.key;
    part += '\n';
    if (part.size() < 4096) continue;
    hash.update(part);
    part.clear();
  }
  hash.update(part);
  return hash.finish_hex().substr(0, 32);
}

class SqliteStore : public Store {
 public:
  SqliteStore(Path db, Access access) : db_(std::move(db)), access_(access) {}

  Status open();

  Result<std::int64_t> put(const RunRecord& record, const Metrics& metrics) override;
  Result<std::vector<StoredRun>> runs(const RunQuery& query) override;
  Result<Metrics> metrics(std::int64_t run) override;
  Result<Matrix> matrix(const Axes& cell) override;
  Result<Matrix> matrix_of(const std::vector<std::int64_t>& runs) override;
  Result<std::vector<SeriesPoint>> series(const Axes& without_commit, const std::string& key) override;
  Result<std::vector<Axes>> cells(const Axes& subset) override;
  Result<std::vector<std::string>> directories() override;
  Status together(const std::function<Status()>& work) override;

 private:
  [[nodiscard]] std::string path_of(const std::string& directory) const;
  [[nodiscard]] std::string directory_of(const std::string& path) const;
  Using statement(const std::string& sql);
  Status transact(const std::function<Status()>& work);
  Status reopen_if_replaced();
  std::int64_t id_of(const char* table, const std::string& text);
  std::int64_t cell_id(const Axes& axes);
  std::int64_t key_set_id(const Metrics& metrics);
  std::int64_t write_run(const RunRecord& record, std::int64_t cell);
  void write_values(std::int64_t run, const Metrics& metrics);
  const KeySet* key_set(std::int64_t id);
  const std::string& metric_key(std::int64_t id);
  RunRecord read_run(Using& row);
  Result<Metrics> read_values(std::int64_t run);

  Path db_;
  Access access_;
  std::unique_ptr<SQLite::Database> database_;
  std::map<std::string, SQLite::Statement> statements_;
  Interned interned_;
  bool in_transaction_ = false;
};

std::string SqliteStore::path_of(const std::string& directory) const {
  const std::string results = (db_.parent_path() / "results").string() + "/";
  return directory.starts_with(results) ? directory.substr(results.size()) : directory;
}

std::string SqliteStore::directory_of(const std::string& path) const {
  return path.starts_with('/') ? path : (db_.parent_path() / "results" / path).string();
}

Using SqliteStore::statement(const std::string& sql) {
  auto it = statements_.find(sql);
  if (it == statements_.end())
    it = statements_
             .emplace(std::piecewise_construct, std::forward_as_tuple(sql),
                      std::forward_as_tuple(*database_, sql))
             .first;
  return Using(it->second);
}

// Changing to WAL does not wait for other openers by itself.
void use_wal(SQLite::Database& database) {
  os::Clock& clock = os::system_clock();
  const double end = clock.monotonic() + kBusyMilliseconds / 1000.0;
  while (database.tryExec("PRAGMA journal_mode = WAL") == SQLITE_BUSY && clock.monotonic() < end)
    clock.sleep_until(clock.monotonic() + 0.01);
}

Status SqliteStore::open() {
  return guarded("opening", db_, [&]() -> Status {
    interned_ = {};
    statements_.clear();
    const int flags =
        access_ == Access::read ? SQLite::OPEN_READONLY : SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE;
    database_ = std::make_unique<SQLite::Database>(db_.string(), flags, kBusyMilliseconds);
    if (access_ == Access::read) return check_version(*database_, db_);
    use_wal(*database_);
    database_->exec("PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16000;");
    return bring_up_to_date(*database_, db_);
  });
}

// `kilter reindex` puts a new file in this one's place.
Status SqliteStore::reopen_if_replaced() {
  int moved = 0;
  sqlite3_file_control(database_->getHandle(), "main", SQLITE_FCNTL_HAS_MOVED, &moved);
  return moved != 0 && !in_transaction_ ? open() : Status{};
}

Status SqliteStore::transact(const std::function<Status()>& work) {
  if (in_transaction_) return work();
  SQLite::Transaction transaction(*database_, SQLite::TransactionBehavior::IMMEDIATE);
  in_transaction_ = true;
  Status done;
  try {
    done = work();
  } catch (...) {
    in_transaction_ = false;
    interned_ = {};
    throw;
  }
  in_transaction_ = false;
  if (done) transaction.commit();
  if (!done) interned_ = {};
  return done;
}

Status SqliteStore::together(const std::function<Status()>& work) {
  return guarded("writing", db_, [&]() -> Status {
    TRY(reopen_if_replaced());
    return transact(work);
  });
}

std::int64_t SqliteStore::id_of(const char* table, const std::string& text) {
  const char* const column = std::string_view(table) == "metric" ? "key" : "axes";
  {
    Using found = statement(fmt::format("SELECT id FROM {} WHERE {} = ?", table, column));
    if (found.bind(text)->executeStep()) return found->getColumn(0).getInt64();
  }
  Using added = statement(fmt::format("INSERT INTO {}({}) VALUES(?)", table, column));
  added.bind(text)->exec();
  return database_->getLastInsertRowid();
}

std::int64_t SqliteStore::cell_id(const Axes& axes) {
  const std::string key = model::axes_key(axes);
  if (const auto it = interned_.cells.find(key); it != interned_.cells.end()) return it->second;
  Using found = statement("SELECT id FROM cell WHERE axes = ?");
  if (found.bind(key)->executeStep()) return interned_.cells[key] = found->getColumn(0).getInt64();
  const std::int64_t series = id_of("series", model::axes_key(model::without(axes, "commit")));
  const auto commit = axes.find("commit");
  Using cell = statement("INSERT INTO cell(axes, series, revision) VALUES(?, ?, ?)");
  cell.bind(key, series, commit == axes.end() ? std::string() : commit->second)->exec();
  const std::int64_t id = database_->getLastInsertRowid();
  for (const auto& [name, value] : axes) {
    Using axis = statement("INSERT INTO axis(name, value, cell) VALUES(?, ?, ?)");
    axis.bind(name, value, id)->exec();
  }
  return interned_.cells[key] = id;
}

std::int64_t SqliteStore::key_set_id(const Metrics& metrics) {
  const std::string hash = hash_keys(metrics);
  if (const auto it = interned_.hashes.find(hash); it != interned_.hashes.end()) return it->second;
  Using found = statement("SELECT id FROM key_set WHERE hash = ?");
  if (found.bind(hash)->executeStep()) return interned_.hashes[hash] = found->getColumn(0).getInt64();
  std::vector<std::int64_t> ids;
  ids.reserve(metrics.size());
  for (const Metric& metric : metrics) ids.push_back(id_of("metric", metric.key));
  const std::string bytes = encode_ids(ids);
  Using added = statement("INSERT INTO key_set(hash, size, ids) VALUES(?, ?, ?)");
  added.bind(hash, static_cast<std::int64_t>(metrics.size()));
  added->bind(3, bytes.data(), static_cast<int>(bytes.size()));
  added->exec();
  return interned_.hashes[hash] = database_->getLastInsertRowid();
}

std::int64_t SqliteStore::write_run(const RunRecord& record, std::int64_t cell) {
  Using run = statement(
      "INSERT INTO run(path, cell, number, path_params, outcome, reason, project, build, boot, session, "
      "block, "
      "place, fingerprint, engine, started, elapsed, overhead, monitor_cpu) "
      "VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT(path) DO UPDATE SET cell = excluded.cell, "
      "number = excluded.number, path_params = excluded.path_params, outcome = excluded.outcome, "
      "reason = excluded.reason, project = excluded.project, build = excluded.build, boot = excluded.boot, "
      "session = excluded.session, block = excluded.block, place = excluded.place, "
      "fingerprint = excluded.fingerprint, engine = excluded.engine, started = excluded.started, "
      "elapsed = excluded.elapsed, overhead = excluded.overhead, monitor_cpu = excluded.monitor_cpu "
      "RETURNING id");
  run.bind(path_of(record.directory), cell, record.number, record.path_params,
           std::string(model::outcome_name(record.outcome)), record.reason, record.project, record.build_id,
           record.boot_id, record.session, record.block, record.place, record.fingerprint, record.engine,
           record.started, record.elapsed, record.overhead, record.monitor_cpu);
  run->executeStep();
  return run->getColumn(0).getInt64();
}

void SqliteStore::write_values(std::int64_t run, const Metrics& metrics) {
  std::vector<Number> values;
  values.reserve(metrics.size());
  for (const Metric& metric : metrics) values.push_back(metric.value);
  const std::string bytes = encode_values(values);
  Using value = statement("INSERT OR REPLACE INTO value(run, key_set, data) VALUES(?, ?, ?)");
  value.bind(run, key_set_id(metrics));
  value->bind(3, bytes.data(), static_cast<int>(bytes.size()));
  value->exec();
}

Result<std::int64_t> SqliteStore::put(const RunRecord& record, const Metrics& metrics) {
  if (record.directory.empty()) return failure("storing a run: it has no directory");
  const Metrics kept = tidy(metrics);
  std::int64_t id = 0;
  const Status stored = together([&]() -> Status {
    id = write_run(record, cell_id(record.axes));
    write_values(id, kept);
    return {};
  });
  if (!stored) return fail(stored.error());
  return id;
}

const KeySet* SqliteStore::key_set(std::int64_t id) {
  if (const auto it = interned_.key_sets.find(id); it != interned_.key_sets.end()) return &it->second;
  Using row = statement("SELECT size, ids FROM key_set WHERE id = ?");
  if (!row.bind(id)->executeStep()) return nullptr;
  KeySet& set = interned_.key_sets[id];
  set.size = static_cast<std::size_t>(row->getColumn(0).getInt64());
  set.ids = row->getColumn(1).getString();
  return &set;
}

const std::string& SqliteStore::metric_key(std::int64_t id) {
  std::string& key = interned_.metrics[id];
  if (!key.empty()) return key;
  Using row = statement("SELECT key FROM metric WHERE id = ?");
  if (row.bind(id)->executeStep()) key = row->getColumn(0).getString();
  return key;
}

RunRecord SqliteStore::read_run(Using& row) {
  RunRecord record;
  record.directory = directory_of(row->getColumn(1).getString());
  record.axes = model::parse_axes(row->getColumn(2).getString()).value_or(Axes{});
  record.number = row->getColumn(3).getInt();
  record.path_params = row->getColumn(4).getString();
  record.outcome = model::parse_outcome(row->getColumn(5).getString()).value_or(model::Outcome::infra_failed);
  record.reason = row->getColumn(6).getString();
  record.project = row->getColumn(7).getString();
  record.build_id = row->getColumn(8).getString();
  record.boot_id = row->getColumn(9).getString();
  record.session = row->getColumn(10).getString();
  record.block = row->getColumn(11).getInt();
  record.place = row->getColumn(12).getInt();
  record.fingerprint = row->getColumn(13).getString();
  record.engine = row->getColumn(14).getString();
  record.started = row->getColumn(15).getDouble();
  record.elapsed = row->getColumn(16).getDouble();
  record.overhead = row->getColumn(17).getDouble();
  record.monitor_cpu = row->getColumn(18).getDouble();
  return record;
}

// Conditions of a query with the texts bound to them.
struct Where {
  std::string sql = " WHERE 1";
  std::vector<std::string> texts;

  void equals(const std::string& expression, const std::string& text) {
    sql += fmt::format(" AND {} = ?", expression);
    texts.push_back(text);
  }
  void has_axes(const Axes& axes) {
    for (const auto& [name, value] : axes) {
      sql += " AND c.id IN (SELECT cell FROM axis WHERE name = ? AND value = ?)";
      texts.push_back(name);
      texts.push_back(value);
    }
  }
};

Where where_of(const RunQuery& query) {
  Where where;
  where.has_axes(query.axes);
  if (query.outcome) where.equals("r.outcome", std::string(model::outcome_name(*query.outcome)));
  if (!query.session.empty()) where.equals("r.session", query.session);
  if (!query.project.empty()) where.equals("r.project", query.project);
  if (!query.build_id.empty()) where.equals("r.build", query.build_id);
  if (query.since > 0) where.sql += fmt::format(" AND r.started >= {:.6f}", query.since);
  return where;
}

void bind_texts(Using& row, const std::vector<std::string>& texts) {
  for (std::size_t i = 0; i < texts.size(); ++i) row->bind(static_cast<int>(i + 1), texts[i]);
}

Result<std::vector<StoredRun>> SqliteStore::runs(const RunQuery& query) {
  return guarded("reading", db_, [&]() -> Result<std::vector<StoredRun>> {
    TRY(reopen_if_replaced());
    const Where where = where_of(query);
    Using row = statement(fmt::format(
        "SELECT {} FROM run r JOIN cell c ON c.id = r.cell{} ORDER BY r.started DESC, r.id DESC LIMIT {}",
        kRunColumns, where.sql, query.limit > 0 ? query.limit : -1));
    bind_texts(row, where.texts);
    std::vector<StoredRun> found;
    while (row->executeStep()) found.push_back({row->getColumn(0).getInt64(), read_run(row)});
    return found;
  });
}

std::string_view bytes_of(const SQLite::Column& column) {
  return {static_cast<const char*>(column.getBlob()), static_cast<std::size_t>(column.getBytes())};
}

Result<Metrics> SqliteStore::read_values(std::int64_t run) {
  Using row = statement("SELECT key_set, data FROM value WHERE run = ?");
  if (!row.bind(run)->executeStep()) return failure(fmt::format("reading run {}: there is no such run", run));
  const KeySet* const set = key_set(row->getColumn(0).getInt64());
  const std::optional<std::vector<std::int64_t>> ids =
      set != nullptr ? decode_ids(set->ids, kMostMetrics) : std::nullopt;
  if (!ids)
    return failure(fmt::format("reading run {}: its list of metrics is damaged", run),
                   "rebuild the index: kilter reindex");
  const SQLite::Column data = row->getColumn(1);
  ASSIGN_OR_RETURN(const std::vector<Number> values, decode_values(bytes_of(data), ids->size()));
  Metrics metrics;
  metrics.reserve(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) metrics.push_back({metric_key((*ids)[i]), values[i]});
  return metrics;
}

Result<Metrics> SqliteStore::metrics(std::int64_t run) {
  return guarded("reading", db_, [&]() -> Result<Metrics> {
    TRY(reopen_if_replaced());
    return read_values(run);
  });
}

Result<Matrix> SqliteStore::matrix(const Axes& cell) {
  std::vector<std::int64_t> ids;
  const Status read = guarded("reading", db_, [&]() -> Status {
    TRY(reopen_if_replaced());
    Using row = statement(
        "SELECT r.id FROM cell c JOIN run r ON r.cell = c.id WHERE c.axes = ? AND r.outcome = 'ok' "
        "ORDER BY r.started, r.id");
    row.bind(model::axes_key(cell));
    while (row->executeStep()) ids.push_back(row->getColumn(0).getInt64());
    return {};
  });
  if (!read) return fail(read.error());
  return matrix_of(ids);
}

Result<Matrix> SqliteStore::matrix_of(const std::vector<std::int64_t>& runs) {
  return guarded("reading", db_, [&]() -> Result<Matrix> {
    Matrix matrix;
    std::map<std::string, std::vector<std::optional<Number>>> rows;
    for (std::size_t column = 0; column < runs.size(); ++column) {
      Using row = statement("SELECT path FROM run WHERE id = ?");
      if (row.bind(runs[column])->executeStep())
        matrix.sources.push_back(directory_of(row->getColumn(0).getString()) + "/stats.json");
      ASSIGN_OR_RETURN(const Metrics values, read_values(runs[column]));
      for (const Metric& metric : values) {
        std::vector<std::optional<Number>>& cells = rows[metric.key];
        cells.resize(runs.size());
        cells[column] = metric.value;
      }
    }
    for (auto& [key, values] : rows) matrix.rows.push_back(MatrixRow{key, std::move(values)});
    return matrix;
  });
}

Result<std::vector<SeriesPoint>> SqliteStore::series(const Axes& without_commit, const std::string& key) {
  return guarded("reading", db_, [&]() -> Result<std::vector<SeriesPoint>> {
    TRY(reopen_if_replaced());
    std::vector<SeriesPoint> points;
    Using metric = statement("SELECT id FROM metric WHERE key = ?");
    if (!metric.bind(key)->executeStep()) return points;
    const std::int64_t id = metric->getColumn(0).getInt64();
    std::unordered_map<std::int64_t, std::optional<std::size_t>> positions;
    Using row = statement(
        "SELECT c.revision, r.id, r.started, r.boot, r.build, v.key_set, v.data FROM series s "
        "JOIN cell c ON c.series = s.id JOIN run r ON r.cell = c.id JOIN value v ON v.run = r.id "
        "WHERE s.axes = ? AND r.outcome = 'ok'");
    row.bind(model::axes_key(model::without(without_commit, "commit")));
    while (row->executeStep()) {
      const std::int64_t set_id = row->getColumn(5).getInt64();
      const KeySet* const set = key_set(set_id);
      if (set == nullptr) continue;
      const auto [position, fresh] = positions.try_emplace(set_id);
      if (fresh) position->second = position_of(set->ids, id);
      if (!position->second) continue;
      const SQLite::Column data = row->getColumn(6);
      const std::optional<Number> value = value_at(bytes_of(data), set->size, *position->second);
      if (!value) continue;
      points.push_back({row->getColumn(0).getString(), row->getColumn(1).getInt64(),
                        row->getColumn(2).getDouble(), *value, row->getColumn(3).getString(),
                        row->getColumn(4).getString()});
    }
    std::ranges::sort(points, {}, [](const SeriesPoint& p) { return std::pair(p.started, p.run); });
    return points;
  });
}

Result<std::vector<Axes>> SqliteStore::cells(const Axes& subset) {
  return guarded("reading", db_, [&]() -> Result<std::vector<Axes>> {
    TRY(reopen_if_replaced());
    Where where;
    where.has_axes(subset);
    Using row = statement("SELECT c.axes FROM cell c" + where.sql + " ORDER BY c.axes");
    bind_texts(row, where.texts);
    std::vector<Axes> found;
    while (row->executeStep())
      found.push_back(model::parse_axes(row->getColumn(0).getString()).value_or(Axes{}));
    return found;
  });
}

Result<std::vector<std::string>> SqliteStore::directories() {
  return guarded("reading", db_, [&]() -> Result<std::vector<std::string>> {
    TRY(reopen_if_replaced());
    std::vector<std::string> found;
    Using row = statement("SELECT path FROM run ORDER BY path");
    while (row->executeStep()) found.push_back(directory_of(row->getColumn(0).getString()));
    return found;
  });
}

}  // namespace

Result<std::unique_ptr<Store>> open_store(const Path& db, Access access) {
  std::error_code ignored;
  const Path absolute = std::filesystem::absolute(db, ignored);
  std::unique_ptr<SqliteStore> store = std::make_unique<SqliteStore>(absolute, access);
  TRY(store->open());
  return store;
}

}  // namespace kilter::store
