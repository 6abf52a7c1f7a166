#include "store/run_values.h"

#include "store/key_set.h"
#include "store/value_blob.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <unordered_map>

namespace kilter::store {
namespace {

using model::Number;

// The ids of some key sets, and which keys they name: sorted, each once.
class KeyRows {
 public:
  explicit KeyRows(SqliteFile& file) : file_(file) {}

  // False when the set is damaged.
  bool add(std::int64_t set) {
    if (ids_.contains(set)) return true;
    const KeySet* const found = file_.key_set(set);
    std::optional<std::vector<std::int64_t>> ids =
        found == nullptr ? std::nullopt : decode_ids(found->ids, kMostMetrics);
    if (!ids || ids->size() != found->size) return false;
    for (const std::int64_t id : *ids) rows_.try_emplace(id, 0);
    ids_.emplace(set, std::move(*ids));
    return true;
  }
  std::vector<std::string> number_rows() {
    std::vector<std::pair<const std::string*, std::size_t*>> order;
    for (auto& [id, row] : rows_) order.emplace_back(&file_.metric_key(id), &row);
    std::ranges::sort(order, [](const auto& a, const auto& b) { return *a.first < *b.first; });
    std::vector<std::string> keys;
    keys.reserve(order.size());
    for (auto& [key, row] : order) {
      *row = keys.size();
      keys.push_back(*key);
    }
    return keys;
  }
  // The row of each value of a run with this set.
  [[nodiscard]] std::vector<std::size_t> rows_of(std::int64_t set) const {
    std::vector<std::size_t> rows;
    for (const std::int64_t id : ids_.at(set)) rows.push_back(rows_.at(id));
    return rows;
  }

 private:
  SqliteFile& file_;
  std::unordered_map<std::int64_t, std::vector<std::int64_t>> ids_;
  std::unordered_map<std::int64_t, std::size_t> rows_;
};

model::RunTable::Run read_table_run(SqliteFile& file, Using& row) {
  return {.directory = file.directory_of(row->getColumn(0).getString(), row->getColumn(1).getInt64()),
          .fingerprint = file.text(row->getColumn(2).getInt64()),
          .build = file.text(row->getColumn(3).getInt64()),
          .boot = file.text(row->getColumn(4).getInt64()),
          .started = row->getColumn(5).getDouble()};
}

}  // namespace

std::int64_t value_id(std::int64_t run, std::size_t chunk) {
  return run << 20 | static_cast<std::int64_t>(chunk);
}

std::string_view bytes_of(const SQLite::Column& column) {
  return {static_cast<const char*>(column.getBlob()), static_cast<std::size_t>(column.getBytes())};
}

tl::unexpected<Error> damaged_values(std::int64_t run) {
  return failure(fmt::format("reading run {}: its values are damaged", run),
                 "rebuild the index: kilter reindex");
}

Result<std::vector<Number>> read_run_values(SqliteFile& file, std::int64_t run, std::size_t count) {
  std::vector<Number> values;
  values.reserve(count);
  Using chunk = file.statement("SELECT data FROM value WHERE id BETWEEN ? AND ? ORDER BY id");
  chunk.bind(value_id(run, 0), value_id(run + 1, 0) - 1);
  while (values.size() < count && chunk->executeStep()) {
    const std::size_t left = std::min(kChunk, count - values.size());
    if (!decode_chunk(bytes_of(chunk->getColumn(0)), left, values)) return damaged_values(run);
  }
  if (values.size() != count) return damaged_values(run);
  return values;
}

Result<std::vector<SeriesBuild>> read_series_builds(SqliteFile& file, const model::Axes& without_commit) {
  std::vector<SeriesBuild> builds;
  Using row = file.statement(
      "SELECT c.revision, r.id, r.started, r.fingerprint FROM series s JOIN cell c ON c.series = s.id "
      "JOIN run r ON r.cell = c.id WHERE s.axes = ? "
      "AND r.outcome = (SELECT id FROM text WHERE text = 'ok') ORDER BY c.id, r.started, r.id");
  row.bind(model::axes_key(model::without(without_commit, "commit")));
  while (row->executeStep()) {
    const std::string commit = row->getColumn(0).getString();
    if (builds.empty() || builds.back().commit != commit)
      builds.push_back({.commit = commit, .started = row->getColumn(2).getDouble(), .runs = {}});
    builds.back().runs.push_back(
        {.id = row->getColumn(1).getInt64(), .fingerprint = file.text(row->getColumn(3).getInt64())});
  }
  std::ranges::stable_sort(builds, {}, &SeriesBuild::started);
  return builds;
}

Result<model::RunTable> read_run_table(SqliteFile& file, const std::vector<std::int64_t>& runs) {
  KeyRows keys(file);
  std::vector<std::int64_t> sets;
  std::vector<model::RunTable::Run> columns;
  for (const std::int64_t run : runs) {
    Using row = file.statement(
        "SELECT p.path, r.seat, r.fingerprint, r.build, r.boot, r.started, r.key_set FROM run r "
        "JOIN place p ON p.id = r.place WHERE r.id = ?");
    if (!row.bind(run)->executeStep())
      return failure(fmt::format("reading run {}: there is no such run", run));
    columns.push_back(read_table_run(file, row));
    sets.push_back(row->getColumn(6).getInt64());
    if (!keys.add(sets.back())) return damaged_values(run);
  }
  std::vector<std::string> names = keys.number_rows();
  model::RunTable table(std::move(names), std::move(columns));
  std::unordered_map<std::int64_t, std::vector<std::size_t>> rows;
  for (std::size_t column = 0; column < runs.size(); ++column) {
    const auto [at, fresh] = rows.try_emplace(sets[column]);
    if (fresh) at->second = keys.rows_of(sets[column]);
    ASSIGN_OR_RETURN(const std::vector<Number> values,
                     read_run_values(file, runs[column], at->second.size()));
    for (std::size_t i = 0; i < values.size(); ++i) table.at(at->second[i], column) = values[i].value();
  }
  return table;
}

}  // namespace kilter::store
