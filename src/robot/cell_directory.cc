#include "robot/cell_directory.h"

#include "base/text.h"
#include "job/expand.h"
#include "job/yaml_node.h"
#include "model/json.h"
#include "model/machine.h"
#include "store/lkp_json.h"
#include "store/results.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>

namespace kilter::robot {
namespace {

namespace fs = std::filesystem;
using os::Path;

constexpr std::size_t kMostDirectories = 20000;
constexpr int kDeepest = 12;
constexpr std::size_t kShaDigits = 40;
constexpr std::uint64_t kLongestText = 16 << 20;

bool is_file(const Path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

bool is_real_directory(const Path& path) {
  std::error_code ignored;
  return !fs::is_symlink(path, ignored) && fs::is_directory(path, ignored);
}

bool is_number(const std::string& name) {
  return !name.empty() && name.size() < 10 &&
         std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; });
}

std::optional<Path> matrix_file(const Path& directory) {
  for (const char* name : {"matrix.json", "matrix.json.gz"})
    if (is_file(directory / name)) return directory / name;
  return std::nullopt;
}

bool is_run(const Path& directory) {
  return is_file(directory / "stats.json") || is_file(directory / "outcome.json");
}

// 0/ 1/ 2/ ... in numerical order.
std::vector<Path> runs_of(const Path& directory) {
  std::vector<Path> runs;
  for (const Path& entry : os::list_directory(directory))
    if (is_number(entry.filename().string()) && is_real_directory(entry) && is_run(entry))
      runs.push_back(entry);
  std::ranges::sort(runs, {}, [](const Path& run) { return std::stoll(run.filename().string()); });
  return runs;
}

std::map<std::string, std::string> fingerprint_of(const Path& run) {
  const Result<std::string> text = os::read_file(run / "machine.json", kLongestText);
  if (!text) return {};
  const Result<nlohmann::json> json = model::parse_json(*text, "machine.json");
  if (!json) return {};
  const Result<model::Machine> machine = model::machine_from_json(*json);
  return machine ? machine->fingerprint() : std::map<std::string, std::string>{};
}

// LKP's desc.yaml of a group: ":axes:" with one ":name: value" each.
model::Axes axes_of_description(const Path& file) {
  model::Axes axes;
  const Result<std::string> text = os::read_file(file, kLongestText);
  if (!text) return axes;
  const Result<std::vector<job::YamlDocument>> documents = job::parse_yaml(*text, file.string());
  if (!documents || documents->empty()) return axes;
  const model::Node& root = documents->front().root;
  const model::Node* found = root.find(":axes") != nullptr ? root.find(":axes") : root.find("axes");
  if (found == nullptr) return axes;
  for (const auto& [name, value] : found->entries())
    if (value.is_scalar()) axes[name.starts_with(':') ? name.substr(1) : name] = value.text();
  return axes;
}

// A job.yaml that is no whole unit job (a group's, cut by hand): its scalars, a program's options among them.
model::Axes axes_of_scalars(const Path& file) {
  model::Axes axes;
  const Result<std::string> text = os::read_file(file, kLongestText);
  if (!text) return axes;
  const Result<std::vector<job::YamlDocument>> documents = job::parse_yaml(*text, file.string());
  if (!documents || documents->empty()) return axes;
  for (const auto& [key, value] : documents->front().root.entries()) {
    const bool about_the_job = key == "suite" || key == "category" || key == "job_origin" || key == "testbox";
    if (value.is_scalar() && !about_the_job) axes[key] = value.text();
    for (const auto& [option, setting] : value.entries())
      if (setting.is_scalar()) axes[option] = setting.text();
  }
  return axes;
}

// LKP's job.yaml: the benchmark's parameters, and the axes every job has.
model::Axes axes_of_job(const Path& file) {
  if (!is_file(file)) return {};
  const job::FileReader read = [&](const std::string& path) -> std::optional<std::string> {
    if (path != file.string()) return std::nullopt;
    const Result<std::string> text = os::read_file(file, kLongestText);
    if (!text) return std::nullopt;
    return *text;
  };
  const Result<model::UnitJob> job = job::load_unit_job(file.string(), read, {.defaults = false});
  if (!job) return axes_of_scalars(file);
  model::Axes axes = job->axes;
  for (const char* name : {"tbox_group", "rootfs", "kconfig", "compiler", "commit"})
    if (const std::string value = job->body.get(name); !value.empty()) axes[name] = value;
  return axes;
}

// <testcase>/<path_params>/<tbox_group>/<rootfs>/<kconfig>/<compiler>/<commit>, where the path ends in as
// many names and has the two fixed points of that form: a compiler before a commit.
model::Axes axes_of_path(const Path& directory) {
  static constexpr std::array<const char*, 7> kNames = {"testcase", "path_params", "tbox_group", "rootfs",
                                                        "kconfig",  "compiler",    "commit"};
  std::error_code failed;
  const Path whole = fs::weakly_canonical(directory, failed);
  std::vector<std::string> parts;
  for (const Path& part : whole) parts.push_back(part.string());
  model::Axes axes;
  const bool shaped =
      !failed && parts.size() > kNames.size() &&
      (parts[parts.size() - 2].starts_with("gcc") || parts[parts.size() - 2].starts_with("clang"));
  if (!shaped) return axes;
  const std::size_t first = parts.size() - kNames.size();
  for (std::size_t i = 0; i < kNames.size(); ++i) axes[kNames[i]] = parts[first + i];
  return axes;
}

// "x/" is "x", and "." has a name too.
Path named_directory(const std::string& typed) {
  const Path path = Path(typed).lexically_normal();
  const Path named = path.has_filename() ? path : path.parent_path();
  std::error_code failed;
  if (named.filename() != "." && named.filename() != "..") return named;
  const Path whole = fs::canonical(named, failed);
  return failed ? named : whole;
}

bool is_sha(std::string_view name) {
  return name.size() == kShaDigits && name.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// Whoever leaves the commit out of the job names the directory by it.
model::Axes axes_of_directory(const Path& directory) {
  model::Axes found;
  for (const model::Axes& axes :
       {axes_of_description(directory / "desc.yaml"), axes_of_job(directory / "job.yaml"),
        axes_of_job(directory / "0" / "job.yaml"), axes_of_path(directory)})
    if (found.empty()) found = axes;
  const std::string name = directory.filename().string();
  if (!found.contains("commit") && is_sha(name)) found["commit"] = name;
  return found;
}

Result<Cell> read_matrix(const Path& file, const Path& directory) {
  ASSIGN_OR_RETURN(model::Matrix matrix, store::read_matrix_file(file));
  return Cell{.axes = axes_of_directory(directory),
              .matrix = std::move(matrix),
              .origin = directory.string(),
              .fingerprint = fingerprint_of(directory / "0"),
              .from_lkp = true};
}

// A run of LKP's has no outcome.json: it ended well unless its last_state says that it is incomplete, which
// its metrics carry themselves.
Result<MeasuredRun> read_run(const Path& directory) {
  MeasuredRun run;
  run.source = (directory / "stats.json").string();
  if (is_file(directory / "outcome.json")) {
    ASSIGN_OR_RETURN(run.record, store::read_record(directory));
  } else {
    run.record.outcome = model::Outcome::ok;
    run.record.directory = directory.string();
  }
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
  if (axes.empty()) axes = axes_of_directory(group);
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
      if (is_real_directory(entry)) TRY(walk(entry, depth + 1));
    return {};
  }

  std::vector<Cell> take() { return std::move(cells_); }

 private:
  Result<std::optional<Cell>> cell_at(const Path& directory) {
    if (is_run(directory)) return some(read_runs({directory}, directory, notes_));
    const std::vector<Path> runs = runs_of(directory);
    const std::optional<Path> matrix = matrix_file(directory);
    const bool ours = !runs.empty() && is_file(runs.front() / "outcome.json");
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

Cell cell_of_runs(const model::Axes& axes, std::span<const MeasuredRun> runs) {
  Cell cell;
  cell.axes = axes;
  cell.matrix = matrix_of_runs(runs);
  for (const MeasuredRun& run : runs) {
    if (cell.started == 0) cell.started = run.record.started;
    if (cell.fingerprint.empty()) cell.fingerprint = fingerprint_of(run.record.directory);
    if (!run.record.build_id.empty()) cell.build_ids.insert(run.record.build_id);
  }
  return cell;
}

Result<std::vector<Cell>> read_cell_directories(const std::string& path, std::vector<std::string>& notes) {
  if (is_file(path)) {
    ASSIGN_OR_RETURN(Cell cell, read_matrix(path, Path(path).parent_path()));
    if (!Path(path).filename().string().starts_with("matrix.json")) cell.origin = path;
    return std::vector<Cell>{std::move(cell)};
  }
  Search search(notes);
  TRY(search.walk(named_directory(path), 0));
  return search.take();
}

}  // namespace kilter::robot
