#include "analyse/samples.h"
#include "base/text.h"
#include "cli/verbs.h"
#include "model/json.h"
#include "model/report_types.h"
#include "store/path_index.h"
#include "suite/metric_info.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace kilter::cli {
namespace {

constexpr const char* kElapsed = "time.elapsed_time";

struct Row {
  std::string cell;
  int runs = 0;
  double sum = 0;
  double average = 0;
  double stddev_percent = 0;  // population, of the average
};

Row row_of(const std::string& cell, const std::vector<double>& values) {
  Row row{.cell = cell, .runs = static_cast<int>(values.size())};
  for (const double value : values) row.sum += value;
  row.average = analyse::mean(values);
  if (row.average != 0 && row.runs > 1)
    row.stddev_percent = 100 * analyse::population_stddev(values, row.average) / std::abs(row.average);
  return row;
}

// Of one cell: never none.
using CellRuns = std::map<std::string, std::vector<store::StoredRun>>;

std::string testcase_of(const store::StoredRun& run) {
  const auto axis = run.record.axes.find("testcase");
  return axis == run.record.axes.end() ? "" : axis->second;
}

// The first headline that every cell has, where all are of one test case; else their time.
Result<std::string> default_field(const robot::ReadingRoom& room, const CellRuns& cells) {
  const std::string testcase = testcase_of(cells.begin()->second.front());
  std::map<std::string, std::size_t> holders;
  for (const auto& [cell, runs] : cells) {
    if (testcase.empty() || testcase_of(runs.front()) != testcase) return std::string(kElapsed);
    ASSIGN_OR_RETURN(const model::Metrics metrics, room.store->metrics(runs.front().id));
    for (const model::Metric& metric : metrics)
      if (suite::metric_info(room.catalogue, metric.key).headline) ++holders[metric.key];
  }
  std::string best = kElapsed;
  std::size_t lowest = std::string::npos;
  for (const auto& [key, count] : holders) {
    const std::size_t rank = suite::metric_rank(room.catalogue, key);
    if (count == cells.size() && rank < lowest) {
      best = key;
      lowest = rank;
    }
  }
  return best;
}

class Stat final : public Verb {
 public:
  void declare(Flags& flags) override {
    flags.positional("PATTERN", patterns_, "Parts of the result path, all of which must match", false)
        .option("-f,--field", "KEY", field_,
                "The metric (default: the benchmark's headline, else time.elapsed_time)")
        .option("-r,--reverse", reverse_, "Largest average last")
        .choice("--format", format_, {"text", "json"}, "Form of the output");
  }

  Result<int> run(World& world) override {
    ASSIGN_OR_RETURN(const robot::ReadingRoom room, robot::open_reading_room(robot_world(world)));
    if (room.store_error) return fail(*room.store_error);
    if (room.store == nullptr) return no_results_yet(world, format_ == "json" ? "[]\n" : "");
    ASSIGN_OR_RETURN(const CellRuns cells, find_cells(world, *room.store));
    if (field_.empty()) {
      ASSIGN_OR_RETURN(field_, default_field(room, cells));
    }
    ASSIGN_OR_RETURN(std::vector<Row> rows, collect(*room.store, cells));
    if (rows.empty()) return nobody_has_it(*room.store, cells);
    std::ranges::sort(rows, std::greater<>(), &Row::average);
    if (reverse_) std::ranges::reverse(rows);
    const std::string unit = suite::metric_info(room.catalogue, field_).unit;
    TRY(world.print(format_ == "json" ? json(rows, unit) : text(rows, unit)));
    return 0;
  }

 private:
  // The ok runs that match, by cell; never none.
  Result<CellRuns> find_cells(const World& world, store::Store& store) const {
    ASSIGN_OR_RETURN(const std::vector<std::string> paths, store::find_paths(world.home, store, patterns_));
    if (paths.empty()) return fail(store::no_path_error(world.home, store, patterns_));
    const std::set<std::string> wanted(paths.begin(), paths.end());
    ASSIGN_OR_RETURN(std::vector<store::StoredRun> runs, store.runs({.outcome = model::Outcome::ok}));
    CellRuns cells;
    for (store::StoredRun& run : runs) {
      if (!wanted.contains(run.record.directory)) continue;
      const os::Path cell = os::Path(run.record.directory).parent_path();
      cells[cell.lexically_relative(world.home / "results").string()].push_back(std::move(run));
    }
    if (cells.empty())
      return failure(fmt::format("looking for a metric: none of the {} runs that match is ok", paths.size()),
                     "kilter result --long lists how they ended");
    return cells;
  }

  Result<std::vector<Row>> collect(store::Store& store, const CellRuns& cells) const {
    std::vector<Row> rows;
    for (const auto& [cell, runs] : cells) {
      std::vector<double> values;
      for (const store::StoredRun& run : runs) {
        ASSIGN_OR_RETURN(const model::Metrics metrics, store.metrics(run.id));
        const auto metric = std::ranges::find(metrics, field_, &model::Metric::key);
        if (metric != metrics.end()) values.push_back(metric->value.value());
      }
      if (!values.empty()) rows.push_back(row_of(cell, values));
    }
    return rows;
  }

  Result<int> nobody_has_it(store::Store& store, const CellRuns& cells) const {
    std::set<std::string> keys;
    for (const auto& [cell, runs] : cells) {
      ASSIGN_OR_RETURN(const model::Metrics metrics, store.metrics(runs.front().id));
      for (const model::Metric& metric : metrics) keys.insert(metric.key);
    }
    const std::vector<std::string> known(keys.begin(), keys.end());
    const auto named =
        std::ranges::find_if(known, [this](const std::string& key) { return key.ends_with("." + field_); });
    const std::string guess =
        named == known.end() ? did_you_mean(field_, known) : fmt::format("did you mean '{}'?", *named);
    return failure(fmt::format("looking for '{}': no ok run has it", printable(field_)),
                   guess.empty() ? "metrics are named program.metric: netperf.Throughput_tps" : guess);
  }

  [[nodiscard]] std::string text(const std::vector<Row>& rows, const std::string& unit) const {
    std::string out = printable(field_) + (unit.empty() ? "" : " [" + unit + "]") + ":\n";
    out += " runs            sum        average  stddev%  case\n";
    for (const Row& row : rows)
      out += fmt::format("{:>5} {:>14} {:>14} {:>8.1f}  {}\n", row.runs, model::figure_text(row.sum),
                         model::figure_text(row.average), row.stddev_percent, row.cell);
    return out;
  }

  [[nodiscard]] std::string json(const std::vector<Row>& rows, const std::string& unit) const {
    nlohmann::json list = nlohmann::json::array();
    for (const Row& row : rows)
      list.push_back({{"case", row.cell},
                      {"metric", field_},
                      {"unit", unit},
                      {"runs", row.runs},
                      {"sum", row.sum},
                      {"average", row.average},
                      {"stddev_percent", row.stddev_percent}});
    return model::dump_json(list) + "\n";
  }

  std::vector<std::string> patterns_;
  std::string field_;
  bool reverse_ = false;
  std::string format_ = "text";
};

}  // namespace

std::unique_ptr<Verb> make_stat() {
  return std::make_unique<Stat>();
}

}  // namespace kilter::cli
