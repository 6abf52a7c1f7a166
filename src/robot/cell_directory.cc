#include "robot/cell_directory.h"

#include "base/text.h"
#include "model/json.h"
#include "model/machine.h"
#include "model/plan.h"
#include "robot/lkp_axes.h"
#include "store/lkp_json.h"
#include "store/results.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

namespace kilter::robot {
namespace {

namespace fs = std::filesystem;
using os::Path;

constexpr std::size_t kMostDirectories = 20000;
constexpr int kDeepest = 12;
constexpr std::uint64_t kLongestText = 16 << 20;

std::optional<Path> matrix_file(const Path& directory) {
  for (const char* name : {"matrix.json", "matrix.json.gz"})
    if (os::is_plain_file(directory / name)) return directory / name;
  return std::nullopt;
}

bool is_run(const Path& directory) {
  return os::is_plain_file(directory / "stats.json") || os::is_plain_file(directory / "outcome.json");
}

// 0/ 1/ 2/ ... in numerical order.
std::vector<Path> runs_of(const Path& directory) {
  std::vector<Path> runs;
  for (const Path& entry : os::list_directory(directory))
    if (is_run_number(entry.filename().string()) && os::is_plain_directory(entry) && is_run(entry))
      runs.push_back(entry);
  std::ranges::sort(runs, {}, [](const Path& run) { return std::stoll(run.filename().string()); });
  return runs;
}

// "x/" is "x", and "." has a name too.
Path named_directory(const std::string& typed) {
  const Path path = Path(typed).lexically_normal();
  Path named = path.has_filename() ? path : path.parent_path();
  std::error_code failed;
  if (named.filename() != "." && named.filename() != "..") return named;
  Path whole = fs::canonical(named, failed);
  return failed ? named : whole;
}

// The workload's program: what the benchmark's own metrics are named by.
std::string program_of(const Path& run) {
  const Result<std::string> text = os::read_file(run / "plan.json", kLongestText);
  if (!text) return "";
  const Result<nlohmann::json> json = model::parse_json(*text, "plan.json");
  if (!json) return "";
  const Result<model::Plan> plan = model::plan_from_json(*json);
  return plan ? plan->workload.program : "";
}

Result<Cell> read_matrix(const Path& file, const Path& directory) {
  ASSIGN_OR_RETURN(model::Matrix matrix, store::read_matrix_file(file));
  return Cell{.axes = lkp_identity(directory).axes,
              .matrix = std::move(matrix),
              .origin = directory.string(),
              .fingerprint = machine_fingerprint(directory / "0"),
              .from_lkp = true};
}

// A run of LKP's has no outcome.json: it ended well unless its last_state says that it is incomplete, which
// its metrics carry themselves.
Result<MeasuredRun> read_run(const Path& directory) {
  MeasuredRun run;
  run.source = (directory / "stats.json").string();
  if (os::is_plain_file(directory / "outcome.json")) {
    ASSIGN_OR_RETURN(run.record, store::read_record(directory));
  } else {
    run.record.outcome = model::Outcome::ok;
    run.record.directory = directory.string();
  }
  if (fs::is_symlink(run.source)) return failure(fmt::format("reading '{}': it is a link", run.source));
  ASSIGN_OR_RETURN(run.metrics, store::read_stats(directory));
  if (run.metrics.empty() && run.record.outcome == model::Outcome::ok)
    run.record.outcome = model::Outcome::unmeasured;
  return run;
}

Result<Cell> read_runs(const std::vector<Path>& directories, const Path& group,
                       std::vector<std::string>& notes) {
  std::vector<MeasuredRun> runs;
  for (const Path& directory : directories) {
    Result<MeasuredRun> run = read_run(directory);
    if (!run && directories.size() == 1) return fail(run.error());
    if (run)
      runs.push_back(std::move(*run));
    else
      notes.push_back("left out: " + run.error().message);
  }
  model::Axes axes;
  if (!runs.empty()) axes = runs.front().record.axes;
  if (axes.empty()) axes = lkp_identity(directories.size() == 1 ? directories.front() : group).axes;
  Cell cell = cell_of_runs(axes, runs);
  cell.origin = group.string();
  return cell;
}

// Walks a tree for cells.
class Search {
 public:
  explicit Search(std::vector<std::string>& notes) : notes_(notes) {}

  Status walk(const Path& directory, int depth) {
    if (++seen_ > kMostDirectories)
      return usage_error(
          fmt::format("reading '{}': over {} directories", printable(directory.string()), kMostDirectories),
          "name the directory of one testcase");
    Result<std::optional<Cell>> cell = cell_at(directory);
    if (!cell && depth == 0) return fail(cell.error());
    if (!cell) notes_.push_back("left out: " + cell.error().message);
    if (cell && *cell) cells_.push_back(std::move(**cell));
    if (!cell || *cell || depth >= kDeepest) return {};
    for (const Path& entry : os::list_directory(directory))
      if (os::is_plain_directory(entry)) TRY(walk(entry, depth + 1));
    return {};
  }

  std::vector<Cell> take() { return std::move(cells_); }

 private:
  Result<std::optional<Cell>> cell_at(const Path& directory) {
    if (is_run(directory)) return some(read_runs({directory}, directory, notes_));
    const std::vector<Path> runs = runs_of(directory);
    const std::optional<Path> matrix = matrix_file(directory);
    const bool ours = !runs.empty() && os::is_plain_file(runs.front() / "outcome.json");
    if (matrix && !ours) return some(read_matrix(*matrix, directory));
    if (!runs.empty()) return some(read_runs(runs, directory, notes_));
    return std::optional<Cell>{};
  }

  static Result<std::optional<Cell>> some(Result<Cell> cell) {
    if (!cell) return fail(cell.error());
    return std::optional<Cell>(std::move(*cell));
  }

  std::vector<std::string>& notes_;
  std::vector<Cell> cells_;
  std::size_t seen_ = 0;
};

}  // namespace

std::map<std::string, std::string> machine_fingerprint(const Path& run) {
  const Result<std::string> text = os::read_file(run / "machine.json", kLongestText);
  if (!text) return {};
  const Result<nlohmann::json> json = model::parse_json(*text, "machine.json");
  if (!json) return {};
  const Result<model::Machine> machine = model::machine_from_json(*json);
  return machine ? machine->fingerprint() : std::map<std::string, std::string>{};
}

Cell cell_of_runs(const model::Axes& axes, std::span<const MeasuredRun> runs) {
  Cell cell;
  cell.axes = axes;
  cell.matrix = matrix_of_runs(runs);
  for (const MeasuredRun& run : runs) {
    if (cell.started == 0) cell.started = run.record.started;
    if (cell.fingerprint.empty()) cell.fingerprint = machine_fingerprint(run.record.directory);
    if (!run.record.project.empty()) cell.projects.insert(run.record.project);
    if (!run.record.build_id.empty()) cell.build_ids.insert(run.record.build_id);
    if (cell.program.empty()) cell.program = program_of(run.record.directory);
    if (!run.record.axes.empty()) cell.runs.push_back(run.record);
  }
  return cell;
}

Result<std::vector<Cell>> read_cell_directories(const std::string& path, std::vector<std::string>& notes) {
  if (os::is_file(path)) {
    ASSIGN_OR_RETURN(Cell cell, read_matrix(path, Path(path).parent_path()));
    if (!Path(path).filename().string().starts_with("matrix.json")) cell.origin = path;
    return std::vector<Cell>{std::move(cell)};
  }
  Search search(notes);
  TRY(search.walk(named_directory(path), 0));
  return search.take();
}

}  // namespace kilter::robot
