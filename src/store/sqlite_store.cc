#include "base/text.h"
#include "store/campaign_table.h"
#include "store/key_set.h"
#include "store/run_values.h"
#include "store/series_reader.h"
#include "store/sqlite_file.h"
#include "store/store.h"
#include "store/value_blob.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
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

bool is_tidy(const Metrics& metrics) {
  for (std::size_t i = 0; i < metrics.size(); ++i)
    if (!std::isfinite(metrics[i].value.value()) || (i > 0 && metrics[i - 1].key >= metrics[i].key))
      return false;
  return true;
}

// Sorted by key, each key once (its last value), NaN and infinities left out.
Metrics tidy(const Metrics& metrics) {
  std::map<std::string, Number> last;
  for (const Metric& metric : metrics) last[metric.key] = metric.value;
  Metrics kept;
  for (const auto& [key, value] : last)
    if (std::isfinite(value.value())) kept.push_back({key, value});
  return kept;
}

class SqliteStore : public Store {
 public:
  SqliteStore(const Path& db, Access access) : file_(db, access) {}
  Status open() { return file_.open(); }

  Result<std::int64_t> put(const RunRecord& record, const Metrics& metrics) override;
  Status remove(std::int64_t run) override;
  Result<std::vector<StoredRun>> runs(const RunQuery& query) override;
  Result<Metrics> metrics(std::int64_t run) override;
  Result<Matrix> matrix(const Axes& cell) override;
  Result<Matrix> matrix_of(const std::vector<std::int64_t>& runs) override;
  Result<std::vector<SeriesPoint>> series(const Axes& without_commit, const std::string& key) override;
  Result<std::vector<SeriesBuild>> series_builds(const Axes& without_commit) override;
  Result<model::RunTable> run_table(const std::vector<std::int64_t>& runs) override;
  Result<SeriesTable> series_table(const Axes& without_commit, const KeyFilter& wanted) override;
  Result<SeriesShape> series_shape(const Axes& without_commit) override;
  Result<std::vector<Axes>> series_axes(const Axes& subset) override;
  Result<std::vector<std::string>> commits() override;
  Result<std::vector<Axes>> cells(const Axes& subset) override;
  Result<std::vector<std::string>> directories() override;
  Result<std::int64_t> begin_campaign(const Campaign& campaign) override;
  Result<std::vector<Campaign>> campaigns(const std::string& kind, const std::string& key) override;
  Status add_campaign_step(std::int64_t campaign, const std::string& step) override;
  Result<std::vector<std::string>> campaign_steps(std::int64_t campaign) override;
  Status end_campaign(std::int64_t campaign, const std::string& answer, double ended) override;
  Result<std::string> directory(std::int64_t run) override;
  Status together(const std::function<Status()>& work) override;

 private:
  template <class T>
  Result<T> reading(const std::function<Result<T>()>& body) {
    return guarded("reading", file_.path(), [&]() -> Result<T> {
      TRY(file_.reopen_if_replaced());
      return body();
    });
  }
  std::int64_t write_run(const RunRecord& record, std::int64_t key_set);
  void write_values(std::int64_t run, const Metrics& metrics);
  RunRecord read_run(Using& row);
  Result<Metrics> read_values(std::int64_t run);

  SqliteFile file_;
};

Status SqliteStore::together(const std::function<Status()>& work) {
  return guarded("writing", file_.path(), [&]() -> Status {
    TRY(file_.reopen_if_replaced());
    return file_.transact(work);
  });
}

// The columns of `run` but for its id, in the order they are bound and read.
const std::string kColumns =
    "place, seat, cell, number, path_params, outcome, reason, project, build, boot, session, fingerprint, "
    "engine, block, turn, started, elapsed, overhead, monitor_cpu, key_set, origin";

std::string insert_run_sql() {
  std::string marks;
  std::string updates;
  for (const std::string_view column : split(kColumns, ',')) {
    const std::string name(trim(column));
    marks += marks.empty() ? "?" : ", ?";
    updates += fmt::format("{}{} = excluded.{}", updates.empty() ? "" : ", ", name, name);
  }
  return fmt::format("INSERT INTO run({}) VALUES({}) ON CONFLICT(place, seat) DO UPDATE SET {} RETURNING id",
                     kColumns, marks, updates);
}

std::int64_t SqliteStore::write_run(const RunRecord& record, std::int64_t key_set) {
  static const std::string sql = insert_run_sql();
  const std::int64_t cell = file_.cell_id(record.axes);
  const auto [place, seat] = file_.place_of(record.directory);
  const std::string outcome(model::outcome_name(record.outcome));
  const auto id = [this](const std::string& text) { return file_.text_id(text); };
  Using run = file_.statement(sql);
  run.bind(place, seat, cell, record.number, id(record.path_params), id(outcome), id(record.reason),
           id(record.project), id(record.build_id), id(record.boot_id), id(record.session),
           id(record.fingerprint), id(record.engine), record.block, record.place, record.started,
           record.elapsed, record.overhead, record.monitor_cpu, key_set);
  constexpr int kOrigin = 21;  // NULL for our own runs
  if (record.origin.empty()) run->bind(kOrigin);
  if (!record.origin.empty()) run->bind(kOrigin, id(record.origin));
  run->executeStep();
  return run->getColumn(0).getInt64();
}

void SqliteStore::write_values(std::int64_t run, const Metrics& metrics) {
  std::vector<Number> values;
  values.reserve(metrics.size());
  for (const Metric& metric : metrics) values.push_back(metric.value);
  Using old = file_.statement("DELETE FROM value WHERE id BETWEEN ? AND ?");
  old.bind(value_id(run, 0), value_id(run + 1, 0) - 1)->exec();
  Using value = file_.statement("INSERT INTO value(id, data) VALUES(?, ?)");
  std::size_t chunk = 0;
  for (const std::string& bytes : encode_values(values)) {
    value->reset();
    value.bind(value_id(run, chunk++));
    value->bindNoCopy(2, bytes.data(), static_cast<int>(bytes.size()));
    value->exec();
  }
}

Result<std::int64_t> SqliteStore::put(const RunRecord& record, const Metrics& metrics) {
  if (record.directory.empty()) return failure("storing a run: it has no directory");
  if (metrics.size() > kMostMetrics)
    return failure(fmt::format("storing '{}': more than {} metrics", record.directory, kMostMetrics));
  if (!is_tidy(metrics)) return put(record, tidy(metrics));
  std::int64_t id = 0;
  const Status stored = together([&]() -> Status {
    id = write_run(record, file_.key_set_id(metrics));
    write_values(id, metrics);
    return {};
  });
  if (!stored) return fail(stored.error());
  return id;
}

Status SqliteStore::remove(std::int64_t run) {
  return together([&]() -> Status {
    Using values = file_.statement("DELETE FROM value WHERE id BETWEEN ? AND ?");
    values.bind(value_id(run, 0), value_id(run + 1, 0) - 1)->exec();
    Using row = file_.statement("DELETE FROM run WHERE id = ?");
    row.bind(run)->exec();
    return {};
  });
}

RunRecord SqliteStore::read_run(Using& row) {
  int column = 0;
  const auto integer = [&] { return row->getColumn(++column).getInt64(); };
  const auto text = [&] { return file_.text(integer()); };
  const auto real = [&] { return row->getColumn(++column).getDouble(); };
  RunRecord record;
  const std::string place = row->getColumn(++column).getString();
  record.directory = file_.directory_of(place, integer());
  record.axes = model::parse_axes(row->getColumn(++column).getString()).value_or(Axes{});
  record.number = static_cast<int>(integer());
  record.path_params = text();
  record.outcome = model::parse_outcome(text()).value_or(model::Outcome::infra_failed);
  record.reason = text();
  record.project = text();
  record.build_id = text();
  record.boot_id = text();
  record.session = text();
  record.fingerprint = text();
  record.engine = text();
  record.block = static_cast<int>(integer());
  record.place = static_cast<int>(integer());
  record.started = real();
  record.elapsed = real();
  record.overhead = real();
  record.monitor_cpu = real();
  if (!row->getColumn(++column).isNull()) record.origin = file_.text(row->getColumn(column).getInt64());
  return record;
}

// Conditions of a query with the texts bound to them.
struct Where {
  std::string sql = " WHERE 1";
  std::vector<std::string> texts;

  void equals(const std::string& column, const std::string& text) {
    sql += fmt::format(" AND r.{} = (SELECT id FROM text WHERE text = ?)", column);
    texts.push_back(text);
  }
  void has_axes(const Axes& axes) {
    for (const auto& [name, value] : axes) {
      sql +=
          " AND c.id IN (SELECT a.cell FROM axis a WHERE a.name = (SELECT id FROM text WHERE text = ?) "
          "AND a.value = (SELECT id FROM text WHERE text = ?))";
      texts.push_back(name);
      texts.push_back(value);
    }
  }
};

Where where_of(const RunQuery& query) {
  Where where;
  where.has_axes(query.axes);
  if (query.outcome) where.equals("outcome", std::string(model::outcome_name(*query.outcome)));
  if (!query.session.empty()) where.equals("session", query.session);
  if (!query.project.empty()) where.equals("project", query.project);
  if (!query.build_id.empty()) where.equals("build", query.build_id);
  if (!query.origin.empty()) where.equals("origin", query.origin);
  if (query.since > 0) where.sql += fmt::format(" AND r.started >= {:.6f}", query.since);
  return where;
}

void bind_texts(Using& row, const std::vector<std::string>& texts) {
  for (std::size_t i = 0; i < texts.size(); ++i) row->bind(static_cast<int>(i + 1), texts[i]);
}

Result<std::vector<StoredRun>> SqliteStore::runs(const RunQuery& query) {
  return reading<std::vector<StoredRun>>([&]() -> Result<std::vector<StoredRun>> {
    const Where where = where_of(query);
    Using row = file_.statement(fmt::format(
        "SELECT r.id, p.path, r.seat, c.axes, r.number, r.path_params, r.outcome, r.reason, r.project, "
        "r.build, r.boot, r.session, r.fingerprint, r.engine, r.block, r.turn, r.started, r.elapsed, "
        "r.overhead, r.monitor_cpu, r.origin FROM run r JOIN cell c ON c.id = r.cell JOIN place p ON p.id = "
        "r.place{} "
        "ORDER BY r.started DESC, r.id DESC LIMIT {}",
        where.sql, query.limit > 0 ? query.limit : -1));
    bind_texts(row, where.texts);
    std::vector<StoredRun> found;
    while (row->executeStep()) found.push_back({row->getColumn(0).getInt64(), read_run(row)});
    return found;
  });
}

Result<Metrics> SqliteStore::read_values(std::int64_t run) {
  Using row = file_.statement("SELECT key_set FROM run WHERE id = ?");
  if (!row.bind(run)->executeStep()) return failure(fmt::format("reading run {}: there is no such run", run));
  const KeySet* const set = file_.key_set(row->getColumn(0).getInt64());
  if (set == nullptr) return damaged_values(run);
  const std::optional<std::vector<std::int64_t>> ids = decode_ids(set->ids, kMostMetrics);
  if (!ids || ids->size() != set->size) return damaged_values(run);
  ASSIGN_OR_RETURN(const std::vector<Number> values, read_run_values(file_, run, ids->size()));
  Metrics metrics;
  metrics.reserve(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) metrics.push_back({file_.metric_key((*ids)[i]), values[i]});
  return metrics;
}

Result<Metrics> SqliteStore::metrics(std::int64_t run) {
  return reading<Metrics>([&] { return read_values(run); });
}

Result<Matrix> SqliteStore::matrix(const Axes& cell) {
  ASSIGN_OR_RETURN(const std::vector<std::int64_t> ids,
                   reading<std::vector<std::int64_t>>([&]() -> Result<std::vector<std::int64_t>> {
                     std::vector<std::int64_t> found;
                     Using row = file_.statement(
                         "SELECT r.id FROM cell c JOIN run r ON r.cell = c.id WHERE c.axes = ? "
                         "AND r.outcome = (SELECT id FROM text WHERE text = 'ok') ORDER BY r.started, r.id");
                     row.bind(model::axes_key(cell));
                     while (row->executeStep()) found.push_back(row->getColumn(0).getInt64());
                     return found;
                   }));
  return matrix_of(ids);
}

Result<Matrix> SqliteStore::matrix_of(const std::vector<std::int64_t>& runs) {
  return reading<Matrix>([&]() -> Result<Matrix> {
    Matrix matrix;
    std::map<std::string, std::vector<std::optional<Number>>> rows;
    for (std::size_t column = 0; column < runs.size(); ++column) {
      Using row =
          file_.statement("SELECT p.path, r.seat FROM run r JOIN place p ON p.id = r.place WHERE r.id = ?");
      if (row.bind(runs[column])->executeStep())
        matrix.sources.push_back(
            file_.directory_of(row->getColumn(0).getString(), row->getColumn(1).getInt64()) + "/stats.json");
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

// The value at `position` of a run's key set; `row` reads a row of `value` by its number.
std::optional<Number> read_value(Using& row, std::int64_t run, const KeySet& set, std::size_t position) {
  const std::size_t chunk = position / kChunk;
  row->reset();
  if (!row.bind(value_id(run, chunk))->executeStep()) return std::nullopt;
  return value_at(bytes_of(row->getColumn(0)), std::min(kChunk, set.size - chunk * kChunk),
                  position % kChunk);
}

Result<std::vector<SeriesPoint>> SqliteStore::series(const Axes& without_commit, const std::string& key) {
  return reading<std::vector<SeriesPoint>>([&]() -> Result<std::vector<SeriesPoint>> {
    std::vector<SeriesPoint> points;
    Using metric = file_.statement("SELECT id FROM metric WHERE key = ?");
    if (!metric.bind(key)->executeStep()) return points;
    const std::int64_t id = metric->getColumn(0).getInt64();
    std::unordered_map<std::int64_t, std::optional<std::size_t>> positions;  // by key set
    Using row = file_.statement(
        "SELECT c.revision, r.id, r.started, r.boot, r.build, r.key_set FROM series s "
        "JOIN cell c ON c.series = s.id JOIN run r ON r.cell = c.id "
        "WHERE s.axes = ? AND r.outcome = (SELECT id FROM text WHERE text = 'ok')");
    row.bind(model::axes_key(model::without(without_commit, "commit")));
    Using value_row = file_.statement("SELECT data FROM value WHERE id = ?");
    while (row->executeStep()) {
      const std::int64_t set_id = row->getColumn(5).getInt64();
      const KeySet* const set = file_.key_set(set_id);
      if (set == nullptr) continue;
      const auto [position, fresh] = positions.try_emplace(set_id);
      if (fresh) position->second = position_of(set->ids, id);
      if (!position->second) continue;
      const std::int64_t run = row->getColumn(1).getInt64();
      const std::optional<Number> value = read_value(value_row, run, *set, *position->second);
      if (!value) continue;
      SeriesPoint& point = points.emplace_back();
      point.commit = row->getColumn(0).getString();
      point.run = run;
      point.started = row->getColumn(2).getDouble();
      point.value = *value;
      point.boot_id = file_.text(row->getColumn(3).getInt64());
      point.build_id = file_.text(row->getColumn(4).getInt64());
    }
    std::ranges::sort(points, {}, [](const SeriesPoint& p) { return std::pair(p.started, p.run); });
    return points;
  });
}

Result<std::vector<SeriesBuild>> SqliteStore::series_builds(const Axes& without_commit) {
  return reading<std::vector<SeriesBuild>>([&] { return read_series_builds(file_, without_commit); });
}

Result<model::RunTable> SqliteStore::run_table(const std::vector<std::int64_t>& runs) {
  return reading<model::RunTable>([&] { return read_run_table(file_, runs); });
}

Result<SeriesTable> SqliteStore::series_table(const Axes& without_commit, const KeyFilter& wanted) {
  return reading<SeriesTable>([&] { return read_series_table(file_, without_commit, wanted); });
}

Result<SeriesShape> SqliteStore::series_shape(const Axes& without_commit) {
  return reading<SeriesShape>([&] { return read_series_shape(file_, without_commit); });
}

Result<std::vector<Axes>> SqliteStore::series_axes(const Axes& subset) {
  return reading<std::vector<Axes>>([&]() -> Result<std::vector<Axes>> {
    Where where;
    where.has_axes(subset);
    Using row = file_.statement("SELECT s.axes FROM series s WHERE s.id IN (SELECT c.series FROM cell c" +
                                where.sql + ") ORDER BY s.axes");
    bind_texts(row, where.texts);
    std::vector<Axes> found;
    while (row->executeStep())
      found.push_back(model::parse_axes(row->getColumn(0).getString()).value_or(Axes{}));
    return found;
  });
}

Result<std::vector<std::string>> SqliteStore::commits() {
  return reading<std::vector<std::string>>([&]() -> Result<std::vector<std::string>> {
    Using row = file_.statement("SELECT DISTINCT revision FROM cell ORDER BY revision");
    std::vector<std::string> found;
    while (row->executeStep()) found.push_back(row->getColumn(0).getString());
    return found;
  });
}

Result<std::string> SqliteStore::directory(std::int64_t run) {
  return reading<std::string>([&]() -> Result<std::string> {
    Using row =
        file_.statement("SELECT p.path, r.seat FROM run r JOIN place p ON p.id = r.place WHERE r.id = ?");
    if (!row.bind(run)->executeStep()) return std::string();
    return file_.directory_of(row->getColumn(0).getString(), row->getColumn(1).getInt64());
  });
}

Result<std::vector<Axes>> SqliteStore::cells(const Axes& subset) {
  return reading<std::vector<Axes>>([&]() -> Result<std::vector<Axes>> {
    Where where;
    where.has_axes(subset);
    Using row = file_.statement("SELECT c.axes FROM cell c" + where.sql + " ORDER BY c.axes");
    bind_texts(row, where.texts);
    std::vector<Axes> found;
    while (row->executeStep())
      found.push_back(model::parse_axes(row->getColumn(0).getString()).value_or(Axes{}));
    return found;
  });
}

Result<std::vector<std::string>> SqliteStore::directories() {
  return reading<std::vector<std::string>>([&]() -> Result<std::vector<std::string>> {
    std::vector<std::string> found;
    Using row = file_.statement(
        "SELECT p.path, r.seat FROM place p JOIN run r ON r.place = p.id ORDER BY p.path, r.seat");
    while (row->executeStep())
      found.push_back(file_.directory_of(row->getColumn(0).getString(), row->getColumn(1).getInt64()));
    return found;
  });
}

Result<std::int64_t> SqliteStore::begin_campaign(const Campaign& campaign) {
  std::int64_t id = 0;
  TRY(together([&]() -> Status {
    id = write_campaign(file_, campaign);
    return {};
  }));
  return id;
}

Result<std::vector<Campaign>> SqliteStore::campaigns(const std::string& kind, const std::string& key) {
  return reading<std::vector<Campaign>>([&] { return read_campaigns(file_, kind, key); });
}

Status SqliteStore::add_campaign_step(std::int64_t campaign, const std::string& step) {
  return together([&]() -> Status {
    write_campaign_step(file_, campaign, step);
    return {};
  });
}

Result<std::vector<std::string>> SqliteStore::campaign_steps(std::int64_t campaign) {
  return reading<std::vector<std::string>>([&] { return read_campaign_steps(file_, campaign); });
}

Status SqliteStore::end_campaign(std::int64_t campaign, const std::string& answer, double ended) {
  return together([&]() -> Status {
    write_campaign_end(file_, campaign, answer, ended);
    return {};
  });
}

}  // namespace

Result<std::unique_ptr<Store>> open_store(const Path& db, Access access) {
  std::error_code ignored;
  std::unique_ptr<SqliteStore> store =
      std::make_unique<SqliteStore>(std::filesystem::absolute(db, ignored), access);
  TRY(store->open());
  return store;
}

}  // namespace kilter::store
