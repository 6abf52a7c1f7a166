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

class Stat final : public Verb {
 public:
  void declare(Flags& flags) override {
    flags.positional("PATTERN", patterns_, "Parts of the result path, all of which must match", false)
        .option("-f,--field", "KEY", field_, "The metric (default: the benchmark's time.elapsed_time)")
        .option("-r,--reverse", reverse_, "Largest average last")
        .choice("--format", format_, {"text", "json"}, "Form of the output");
  }

  Result<int> run(World& world) override {
    ASSIGN_OR_RETURN(const std::unique_ptr<store::Store> store, robot::open_results(world.home));
    if (store == nullptr) return no_results_yet(world, format_ == "json" ? "[]\n" : "");
    ASSIGN_OR_RETURN(std::vector<Row> rows, collect(world, *store));
    if (rows.empty())
      return failure(fmt::format("looking for '{}': no ok run has it", printable(field_)), hint());
    std::ranges::sort(rows, std::greater<>(), &Row::average);
    if (reverse_) std::ranges::reverse(rows);
    ASSIGN_OR_RETURN(const suite::Catalogue catalogue,
                     suite::Catalogue::load(robot::user_suites(world.home)));
    const std::string unit = suite::metric_info(catalogue, field_).unit;
    TRY(world.print(format_ == "json" ? json(rows, unit) : text(rows, unit)));
    return 0;
  }

 private:
  [[nodiscard]] std::string hint() const {
    return field_.contains('.') ? "kilter result lists the runs there are"
                                : "metrics are named program.metric: netperf.Throughput_tps";
  }

  Result<std::vector<Row>> collect(World& world, store::Store& store) const {
    ASSIGN_OR_RETURN(const std::vector<std::string> paths, store::find_paths(world.home, store, patterns_));
    const std::set<std::string> wanted(paths.begin(), paths.end());
    ASSIGN_OR_RETURN(const std::vector<store::StoredRun> runs, store.runs({.outcome = model::Outcome::ok}));
    std::map<std::string, std::vector<double>> cells;
    for (const store::StoredRun& run : runs) {
      if (!wanted.contains(run.record.directory)) continue;
      ASSIGN_OR_RETURN(const model::Metrics metrics, store.metrics(run.id));
      const auto metric = std::ranges::find(metrics, field_, &model::Metric::key);
      if (metric == metrics.end()) continue;
      cells[os::Path(run.record.directory).parent_path().lexically_relative(world.home / "results").string()]
          .push_back(metric->value.value());
    }
    std::vector<Row> rows;
    for (const auto& [cell, values] : cells) rows.push_back(row_of(cell, values));
    return rows;
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
  std::string field_ = "time.elapsed_time";
  bool reverse_ = false;
  std::string format_ = "text";
};

}  // namespace

std::unique_ptr<Verb> make_stat() {
  return std::make_unique<Stat>();
}

}  // namespace kilter::cli
