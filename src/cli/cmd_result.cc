#include "base/text.h"
#include "cli/verbs.h"
#include "model/json.h"
#include "os/clock.h"
#include "store/lkp_json.h"
#include "store/path_index.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

namespace kilter::cli {
namespace {

class ResultVerb final : public Verb {
 public:
  void declare(Flags& flags) override {
    flags
        .positional("PATTERN", patterns_, "Parts of the result path, or regular expressions; all must match",
                    false)
        .option("--cells", cells_, "Cells (LKP's _rt) with their number of runs, instead of runs")
        .choice("--strip", strip_, {"run", "commit"},
                "Paths without the run's number (of cells), or without the commit too")
        .option("-l,--long", long_, "Outcome and date (UTC) of each run before its path")
        .option("--matrix", matrix_, "Write each matched cell's matrix.json beside its runs")
        .option("--as-lkp", as_lkp_, "In matrix.json a missing number is 0, as LKP has it (default: null)")
        .choice("--format", format_, {"text", "json"},
                "Form of the output: paths, or an object for each run");
  }

  Result<int> run(World& world) override {
    ASSIGN_OR_RETURN(const std::unique_ptr<store::Store> store, robot::open_results(world.home));
    if (store == nullptr) return no_results_yet(world, nothing());
    ASSIGN_OR_RETURN(const std::vector<std::string> paths, store::find_paths(world.home, *store, patterns_));
    if (paths.empty() && !patterns_.empty()) return fail(store::no_path_error(world.home, *store, patterns_));
    if (paths.empty()) return no_results_yet(world, nothing());
    const std::map<std::string, std::vector<std::string>> cells = group(paths);
    if (matrix_) return write_matrices(world, *store, cells);
    std::string text;
    if (cells_) {
      text = cells_text(cells);
    } else if (strip_.empty() && (long_ || format_ == "json")) {
      ASSIGN_OR_RETURN(text, records_text(*store, paths));
    } else {
      text = runs_text(stripped(paths));
    }
    TRY(world.print(text));
    return 0;
  }

 private:
  [[nodiscard]] std::string_view nothing() const {
    if (format_ != "json") return "";
    return cells_ ? "{}\n" : "[]\n";
  }

  static std::map<std::string, std::vector<std::string>> group(const std::vector<std::string>& paths) {
    std::map<std::string, std::vector<std::string>> cells;
    for (const std::string& path : paths) cells[os::Path(path).parent_path().string()].push_back(path);
    return cells;
  }

  [[nodiscard]] std::vector<std::string> stripped(const std::vector<std::string>& paths) const {
    if (strip_.empty()) return paths;
    std::vector<std::string> kept;
    for (const std::string& path : paths) {
      const os::Path cell = os::Path(path).parent_path();
      std::string text = (strip_ == "commit" ? cell.parent_path() : cell).string();
      if (std::ranges::find(kept, text) == kept.end()) kept.push_back(std::move(text));
    }
    return kept;
  }

  // What is recorded of the runs: lines, or objects.
  Result<std::string> records_text(store::Store& store, const std::vector<std::string>& paths) const {
    ASSIGN_OR_RETURN(const std::vector<store::StoredRun> runs, store.runs({}));
    std::map<std::string, const model::RunRecord*> records;
    for (const store::StoredRun& run : runs) records[run.record.directory] = &run.record;
    std::string text;
    nlohmann::json list = nlohmann::json::array();
    for (const std::string& path : paths) {
      const auto found = records.find(path);
      if (found == records.end()) continue;
      const model::RunRecord& record = *found->second;
      const std::string date = record.started > 0 ? os::utc_timestamp(record.started) : "-";
      text += fmt::format("{:<12}  {:<20}  {}\n", model::outcome_name(record.outcome), date, path);
      nlohmann::json object = record;
      object["directory"] = path;
      object["date"] = record.started > 0 ? nlohmann::json(date) : nlohmann::json(nullptr);
      list.push_back(std::move(object));
    }
    return format_ == "json" ? model::dump_json(list) + "\n" : text;
  }

  [[nodiscard]] std::string runs_text(const std::vector<std::string>& paths) const {
    if (format_ == "json") return model::dump_json(paths) + "\n";
    std::string text;
    for (const std::string& path : paths) text += path + "\n";
    return text;
  }

  [[nodiscard]] std::string cells_text(const std::map<std::string, std::vector<std::string>>& cells) const {
    if (format_ == "json") return model::dump_json(cells) + "\n";
    std::string text;
    for (const auto& [cell, runs] : cells) text += fmt::format("{:>5}  {}\n", runs.size(), cell);
    return text;
  }

  // The axes of a cell are those of its runs' records; runs of a cell that were written by another engine
  // have other axes and another directory.
  Result<int> write_matrices(World& world, store::Store& store,
                             const std::map<std::string, std::vector<std::string>>& cells) const {
    ASSIGN_OR_RETURN(const std::vector<store::StoredRun> runs, store.runs({}));
    std::string text;
    for (const auto& [cell, paths] : cells) {
      const auto run = std::ranges::find_if(
          runs, [&](const store::StoredRun& stored) { return stored.record.directory == paths.front(); });
      if (run == runs.end()) continue;
      ASSIGN_OR_RETURN(const model::Matrix matrix, store.matrix(run->record.axes));
      const store::Missing missing = as_lkp_ ? store::Missing::zero : store::Missing::null;
      const os::Path file = os::Path(cell) / "matrix.json";
      TRY(os::write_file(file, store::write_matrix(matrix, missing)));
      text += fmt::format("{}: {} runs, {} metrics\n", file.string(), matrix.columns(), matrix.rows.size());
    }
    TRY(world.print(text));
    return 0;
  }

  std::vector<std::string> patterns_;
  bool cells_ = false;
  bool long_ = false;
  bool matrix_ = false;
  bool as_lkp_ = false;
  std::string strip_;
  std::string format_ = "text";
};

}  // namespace

std::unique_ptr<Verb> make_result() {
  return std::make_unique<ResultVerb>();
}

}  // namespace kilter::cli
