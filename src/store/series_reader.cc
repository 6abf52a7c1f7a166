#include "store/series_reader.h"

#include "store/key_set.h"
#include "store/run_values.h"
#include "store/value_blob.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

namespace kilter::store {
namespace {

using model::Axes;

constexpr std::size_t kNoSlot = std::numeric_limits<std::size_t>::max();

struct TableRun {
  SeriesRun run;
  std::int64_t key_set = 0;
};

std::string series_name(const Axes& axes) {
  return model::axes_key(model::without(axes, "commit"));
}

std::vector<TableRun> runs_of_series(SqliteFile& file, const Axes& without_commit) {
  std::vector<TableRun> runs;
  Using row = file.statement(
      "SELECT c.revision, r.id, r.started, r.boot, r.build, r.fingerprint, r.project, r.key_set FROM series "
      "s "
      "JOIN cell c ON c.series = s.id JOIN run r ON r.cell = c.id "
      "WHERE s.axes = ? AND r.outcome = (SELECT id FROM text WHERE text = 'ok')");
  row.bind(series_name(without_commit));
  const auto text = [&](int column) { return file.text(row->getColumn(column).getInt64()); };
  while (row->executeStep())
    runs.push_back({.run = {.id = row->getColumn(1).getInt64(),
                            .commit = row->getColumn(0).getString(),
                            .started = row->getColumn(2).getDouble(),
                            .boot_id = text(3),
                            .build_id = text(4),
                            .fingerprint = text(5),
                            .project = text(6)},
                    .key_set = row->getColumn(7).getInt64()});
  std::ranges::sort(runs, {}, [](const TableRun& one) { return std::pair(one.run.started, one.run.id); });
  return runs;
}

// Which row of the table each metric of a key set goes to.
using Slots = std::vector<std::size_t>;

// The keys of all sets, and where they go.
class TableLayout {
 public:
  TableLayout(SqliteFile& file, const KeyFilter& wanted) : file_(file), wanted_(wanted) {}

  Status add(const TableRun& run) {
    const auto [set, fresh] = ids_.try_emplace(run.key_set);
    if (!fresh) return {};
    const KeySet* const stored = file_.key_set(run.key_set);
    if (stored == nullptr) return damaged_values(run.run.id);
    std::optional<std::vector<std::int64_t>> ids = decode_ids(stored->ids, kMostMetrics);
    if (!ids || ids->size() != stored->size) return damaged_values(run.run.id);
    set->second = std::move(*ids);
    for (const std::int64_t id : set->second) add_metric(id);
    return {};
  }

  // After the last add(): the keys, sorted.
  std::vector<std::string> keys() {
    std::vector<std::string> sorted;
    sorted.reserve(chosen_.size());
    for (const auto& [key, id] : chosen_) {
      slot_of_[id] = sorted.size();
      sorted.push_back(key);
    }
    return sorted;
  }

  // After keys().
  const Slots& slots(std::int64_t key_set) {
    const auto [slots, fresh] = slots_.try_emplace(key_set);
    if (fresh)
      for (const std::int64_t id : ids_[key_set]) {
        const auto slot = slot_of_.find(id);
        slots->second.push_back(slot == slot_of_.end() ? kNoSlot : slot->second);
      }
    return slots->second;
  }

 private:
  void add_metric(std::int64_t id) {
    if (!seen_.insert(id).second) return;
    const std::string& key = file_.metric_key(id);
    if (!wanted_ || wanted_(key)) chosen_.emplace(key, id);
  }

  SqliteFile& file_;
  const KeyFilter& wanted_;
  std::unordered_map<std::int64_t, std::vector<std::int64_t>> ids_;  // by key set
  std::unordered_map<std::int64_t, Slots> slots_;                    // by key set
  std::set<std::int64_t> seen_;
  std::map<std::string, std::int64_t> chosen_;
  std::unordered_map<std::int64_t, std::size_t> slot_of_;  // by metric
};

// Puts the values of column `run` into their rows.
class ColumnReader {
 public:
  ColumnReader(SqliteFile& file, SeriesTable& table)
      : chunk_(file.statement("SELECT data FROM value WHERE id = ?")), table_(table) {}

  Status read(std::size_t run, const Slots& slots) {
    const std::int64_t id = table_.runs[run].id;
    for (std::size_t first = 0; first < slots.size(); first += kChunk) {
      const std::span<const std::size_t> part =
          std::span(slots).subspan(first, std::min(kChunk, slots.size() - first));
      if (std::ranges::all_of(part, [](std::size_t slot) { return slot == kNoSlot; })) continue;
      chunk_->reset();
      if (!chunk_.bind(value_id(id, first / kChunk))->executeStep()) return damaged_values(id);
      values_.clear();
      if (!decode_chunk(bytes_of(chunk_->getColumn(0)), part.size(), values_)) return damaged_values(id);
      for (std::size_t i = 0; i < part.size(); ++i)
        if (part[i] != kNoSlot) table_.values[part[i] * table_.runs.size() + run] = values_[i].value();
    }
    return {};
  }

 private:
  Using chunk_;
  SeriesTable& table_;
  std::vector<model::Number> values_;
};

}  // namespace

Result<SeriesTable> read_series_table(SqliteFile& file, const Axes& without_commit, const KeyFilter& wanted) {
  std::vector<TableRun> runs = runs_of_series(file, without_commit);
  TableLayout layout(file, wanted);
  SeriesTable table;
  for (TableRun& run : runs) {
    TRY(layout.add(run));
    table.runs.push_back(std::move(run.run));
  }
  table.keys = layout.keys();
  table.values.assign(table.keys.size() * table.runs.size(), std::numeric_limits<double>::quiet_NaN());
  ColumnReader reader(file, table);
  for (std::size_t run = 0; run < runs.size(); ++run) TRY(reader.read(run, layout.slots(runs[run].key_set)));
  return table;
}

Result<SeriesShape> read_series_shape(SqliteFile& file, const Axes& without_commit) {
  SeriesShape shape;
  const KeyFilter all;
  TableLayout layout(file, all);
  Using row = file.statement(
      "SELECT r.key_set, min(r.id), count(*) FROM series s JOIN cell c ON c.series = s.id "
      "JOIN run r ON r.cell = c.id WHERE s.axes = ? AND r.outcome = (SELECT id FROM text WHERE text = 'ok') "
      "GROUP BY r.key_set");
  row.bind(series_name(without_commit));
  while (row->executeStep()) {
    TRY(layout.add({.run = {.id = row->getColumn(1).getInt64()}, .key_set = row->getColumn(0).getInt64()}));
    shape.runs += static_cast<std::size_t>(row->getColumn(2).getInt64());
  }
  shape.keys = layout.keys();
  return shape;
}

}  // namespace kilter::store
