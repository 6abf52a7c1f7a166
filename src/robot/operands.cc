#include "robot/operands.h"

#include "base/text.h"
#include "os/interrupt.h"
#include "os/near_file.h"
#include "robot/cell_directory.h"
#include "robot/kernel.h"
#include "robot/mended_builds.h"
#include "robot/run_matrix.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>
#include <tuple>

namespace kilter::robot {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kShortestPrefix = 4;
constexpr std::size_t kMostCells = 1000;
constexpr std::size_t kShownCommits = 5;
constexpr std::string_view kDirectoryAxis = "directory";

std::string commit_of(const model::Axes& axes) {
  const auto it = axes.find("commit");
  return it == axes.end() ? "" : it->second;
}

bool has_all(const model::Axes& axes, const model::Axes& wanted) {
  return std::ranges::all_of(wanted, [&](const auto& pair) {
    const auto it = axes.find(pair.first);
    return it != axes.end() && it->second == pair.second;
  });
}

// Commits that begin so. "4f2a91c+0123456789" is a patched one; without a "+" the commit itself goes before
// its patched forms.
std::vector<std::string> matching_commits(const std::set<std::string>& commits, const std::string& typed) {
  const std::string sha = typed.substr(0, typed.find('+'));
  const std::string patch = typed.substr(sha.size());
  std::vector<std::string> plain;
  std::vector<std::string> patched;
  if (sha.size() < kShortestPrefix) return plain;
  for (const std::string& commit : commits) {
    const std::size_t plus = std::min(commit.find('+'), commit.size());
    if (!commit.starts_with(sha) || plus < sha.size() || !commit.substr(plus).starts_with(patch)) continue;
    (plus == commit.size() ? plain : patched).push_back(commit);
  }
  return plain.empty() ? patched : plain;
}

// The cells of one operand out of the store.
tl::unexpected<Error> of_projects(const std::string& operand, const std::set<std::string>& projects) {
  const std::vector<std::string> names(projects.begin(), projects.end());
  return usage_error(
      fmt::format("comparing: '{}' was measured in projects {}", printable(operand), join(names, ", ")),
      "add -p " + join(names, " or -p "));
}

class StoredCells {
 public:
  StoredCells(store::Store& store, const OperandContext& context) : store_(store), context_(context) {}

  Result<std::vector<Cell>> of_axes(const std::string& operand) {
    ASSIGN_OR_RETURN(model::Axes wanted, model::parse_axes(operand));
    const std::string commit = commit_of(wanted);
    wanted.erase("commit");
    wanted.insert(context_.restrict.begin(), context_.restrict.end());
    ASSIGN_OR_RETURN(const std::vector<model::Axes> found, store_.cells(wanted));
    if (commit.empty()) return read_all(found, operand);
    ASSIGN_OR_RETURN(const std::string full, full_commit(found, commit));
    return read_all(with_commit(found, full), operand);
  }

  Result<std::vector<Cell>> of_revision(const std::string& operand) {
    ASSIGN_OR_RETURN(const std::vector<model::Axes> all, store_.cells(context_.restrict));
    ASSIGN_OR_RETURN(const std::string full, full_commit(all, operand));
    return read_all(with_commit(all, full), operand);
  }

 private:
  static std::vector<model::Axes> with_commit(const std::vector<model::Axes>& all,
                                              const std::string& commit) {
    std::vector<model::Axes> found;
    for (const model::Axes& axes : all)
      if (commit_of(axes) == commit) found.push_back(axes);
    return found;
  }

  // A commit as stored: what the project makes of it, itself, or the one that begins so.
  Result<std::string> full_commit(const std::vector<model::Axes>& all, const std::string& typed) const {
    std::set<std::string> commits;
    for (const model::Axes& axes : all) commits.insert(commit_of(axes));
    const std::vector<ProjectCommit> resolved =
        context_.resolve ? context_.resolve(typed) : std::vector<ProjectCommit>{};
    if (os::interrupted()) return interrupted(fmt::format("comparing '{}': interrupted", printable(typed)));
    const std::map<std::string, std::string> measured = measured_ones(resolved, commits);
    if (measured.size() == 1) return measured.begin()->first;
    if (measured.size() > 1) {
      std::set<std::string> projects;
      for (const auto& [commit, project] : measured) projects.insert(project);
      return of_projects(typed, projects);
    }
    if (commits.contains(typed)) return typed;
    if (const std::optional<std::string> kernel = kernel_named(commits, typed, resolved)) return *kernel;
    const std::vector<std::string> matching = matching_commits(commits, typed);
    if (matching.size() == 1) return matching[0];
    if (matching.size() > 1)
      return usage_error(
          fmt::format("comparing '{}': {} commits begin so", printable(typed), matching.size()),
          "type more digits: " + listed(matching));
    ASSIGN_OR_RETURN(const std::vector<std::string> kernels, kernels_of_release(all, typed));
    if (kernels.size() == 1) return kernels[0];
    if (kernels.size() > 1)
      return usage_error(
          fmt::format("comparing '{}': {} kernels' releases begin so", printable(typed), kernels.size()),
          "their commits: " + listed(kernels));
    ASSIGN_OR_RETURN(const std::string hint, hint_of(all, resolved.empty() ? typed : ""));
    return usage_error(fmt::format("comparing '{}': no run of it is stored", printable(typed)), hint);
  }

  // Commit -> project, of those that have runs.
  static std::map<std::string, std::string> measured_ones(const std::vector<ProjectCommit>& resolved,
                                                          const std::set<std::string>& commits) {
    std::map<std::string, std::string> measured;
    for (const ProjectCommit& one : resolved)
      if (commits.contains(one.commit)) measured.emplace(one.commit, one.project);
    return measured;
  }

  // What may be compared, of the project that was chosen: names first.
  Result<std::vector<std::string>> choices(const std::vector<model::Axes>& all) const {
    std::set<std::string> foreign;
    if (!context_.project.empty()) {
      ASSIGN_OR_RETURN(const std::vector<store::StoredRun> runs, store_.runs({}));
      for (const store::StoredRun& run : runs)
        if (is_foreign(run.record.project)) foreign.insert(commit_of(run.record.axes));
      for (const store::StoredRun& run : runs)
        if (!is_foreign(run.record.project)) foreign.erase(commit_of(run.record.axes));
    }
    std::set<std::string> names;
    std::set<std::string> shas;
    for (const model::Axes& axes : all) {
      const std::string commit = commit_of(axes);
      const std::string sha = commit.substr(0, commit.find('+'));
      if (foreign.contains(commit) || commit.empty()) continue;
      (is_full_sha(sha) || is_short_sha(sha) ? shas : names).insert(commit);
    }
    std::vector<std::string> choices(names.begin(), names.end());
    choices.insert(choices.end(), shas.begin(), shas.end());
    return choices;
  }

  // Of what `typed` may be a slip: names that were measured, releases of kernels, branches and tags.
  [[nodiscard]] std::string guess_of(const std::vector<model::Axes>& all, std::vector<std::string> names,
                                     const std::string& typed) const {
    std::set<std::string> seen;
    for (const model::Axes& axes : all) {
      if (!context_.project.empty() || seen.size() == kMostCells || !seen.insert(commit_of(axes)).second)
        continue;
      const Result<std::vector<store::StoredRun>> runs = store_.runs({.axes = axes, .limit = 1});
      const std::optional<Kernel> kernel =
          !runs || runs->empty() ? std::nullopt : kernel_of_run(runs->front().record.directory);
      if (kernel) names.push_back(kernel->release);
    }
    if (context_.names) std::ranges::move(context_.names(), std::back_inserter(names));
    names.emplace_back("running");
    return did_you_mean(typed, names);
  }

  // By its release, by "running", or by a commit of which it tells the first digits.
  [[nodiscard]] std::optional<std::string> kernel_named(const std::set<std::string>& commits,
                                                        const std::string& typed,
                                                        const std::vector<ProjectCommit>& resolved) const {
    std::string name = typed == "running" ? context_.running : commit_of_release(typed);
    if (commits.contains(name)) return name;
    for (const std::string& commit : commits)
      if (is_short_sha(commit) && std::ranges::any_of(resolved, [&](const ProjectCommit& one) {
            return one.commit.starts_with(commit);
          }))
        return commit;
    return std::nullopt;
  }

  // Names of kernels whose release is `typed` or, if there is none, begins so; whatever they were called.
  Result<std::vector<std::string>> kernels_of_release(const std::vector<model::Axes>& all,
                                                      const std::string& typed) const {
    std::set<std::string> same;
    std::set<std::string> beginning;
    std::set<std::string> seen;
    if (typed.size() < kShortestPrefix) return std::vector<std::string>{};
    for (const model::Axes& axes : all) {
      if (seen.size() == kMostCells || !seen.insert(commit_of(axes)).second) continue;
      ASSIGN_OR_RETURN(const std::vector<store::StoredRun> runs, store_.runs({.axes = axes, .limit = 1}));
      const std::optional<Kernel> kernel =
          runs.empty() ? std::nullopt : kernel_of_run(runs.front().record.directory);
      if (kernel && kernel->release == typed) same.insert(commit_of(axes));
      if (kernel && kernel->release.starts_with(typed)) beginning.insert(commit_of(axes));
    }
    const std::set<std::string>& found = same.empty() ? beginning : same;
    return std::vector<std::string>(found.begin(), found.end());
  }

  Result<std::string> hint_of(const std::vector<model::Axes>& cells, const std::string& typed) const {
    ASSIGN_OR_RETURN(const std::vector<std::string> stored, choices(cells));
    if (std::string guess = typed.empty() ? "" : guess_of(cells, stored, typed); !guess.empty()) return guess;
    if (!stored.empty()) return "stored are " + listed(stored);
    if (!context_.project.empty()) return "kilter run -p " + printable(context_.project) + " measures it";
    ASSIGN_OR_RETURN(const std::vector<model::Axes> all, store_.cells({}));
    if (all.empty()) return "nothing is stored yet: kilter run measures, kilter import takes results in";
    return "no stored result has " + printable(model::axes_key(context_.restrict)) +
           ": kilter result --cells lists what there is";
  }

  static std::string listed(std::vector<std::string> names) {
    const std::size_t all = names.size();
    if (all > kShownCommits) names.resize(kShownCommits);
    for (std::string& name : names) name = model::short_commit(printable(name)).substr(0, 40);
    return join(names, ", ") + (all > kShownCommits ? fmt::format(" and {} more", all - kShownCommits) : "");
  }

  Result<std::vector<Cell>> read_all(const std::vector<model::Axes>& all, const std::string& operand) {
    if (all.size() > kMostCells)
      return usage_error(fmt::format("comparing '{}': it names {} results", printable(operand), all.size()),
                         "narrow it with -s KEY=VALUE");
    std::vector<Cell> cells;
    for (const model::Axes& axes : all) {
      ASSIGN_OR_RETURN(Cell cell, read(axes));
      cell.origin = operand;
      if (!cell.matrix.sources.empty()) cells.push_back(std::move(cell));
    }
    return cells;
  }

  Result<Cell> read(const model::Axes& axes) {
    ASSIGN_OR_RETURN(std::vector<store::StoredRun> runs, store_.runs({.axes = axes}));
    std::erase_if(runs, [&](const store::StoredRun& run) {
      return run.record.axes != axes || is_foreign(run.record.project);
    });
    TRY(forget_mended_builds(store_, runs));
    std::ranges::reverse(runs);  // oldest first
    // By number where they have one: clocks jump.
    std::ranges::stable_sort(runs, {}, [](const store::StoredRun& run) { return run.record.number; });
    std::vector<MeasuredRun> measured;
    for (const store::StoredRun& run : runs) {
      ASSIGN_OR_RETURN(model::Metrics metrics, store_.metrics(run.id));
      measured.push_back({.record = run.record,
                          .metrics = std::move(metrics),
                          .source = run.record.directory + "/stats.json"});
    }
    return cell_of_runs(axes, measured);
  }

  // Results without a project, imported ones say, go with every one.
  [[nodiscard]] bool is_foreign(const std::string& project) const {
    return !context_.project.empty() && !project.empty() && project != context_.project;
  }

  store::Store& store_;
  const OperandContext& context_;
};

bool is_on_disk(const std::string& operand) {
  return !operand.empty() && os::is_there(operand);
}

// Written as a path, so nothing else is meant.
bool is_path_operand(const std::string& operand) {
  return operand.starts_with('/') || operand.starts_with("./") || operand.starts_with("../") ||
         operand.starts_with('~') || (operand.ends_with('/') && !operand.contains('='));
}

Result<std::vector<Cell>> cells_of(const std::string& operand, const OperandContext& context,
                                   std::vector<std::string>& notes) {
  if (is_on_disk(operand)) return read_cell_directories(operand, notes);
  if (is_path_operand(operand))
    return usage_error(fmt::format("comparing '{}': no such file or directory", printable(operand)),
                       os::near_file_hint(operand));
  if (context.store == nullptr && context.store_error) return fail(*context.store_error);
  if (context.store == nullptr)
    return usage_error(
        fmt::format("comparing '{}': there is no such directory, and no revision has results here",
                    printable(operand)),
        "kilter run measures revisions, kilter import takes results in");
  StoredCells stored(*context.store, context);
  return operand.contains('=') ? stored.of_axes(operand) : stored.of_revision(operand);
}

std::string value_of(const model::Axes& axes, const std::vector<std::string>& names) {
  std::string value;
  for (const std::string& name : names) {
    const auto it = axes.find(name);
    value += (it == axes.end() ? "" : it->second) + "\n";
  }
  return value;
}

bool have_distinct_values(const std::vector<Cell>& cells, const std::vector<std::string>& names) {
  std::set<std::string> values;
  for (const Cell& cell : cells) values.insert(value_of(cell.axes, names));
  return values.size() == cells.size() && !values.contains(std::string(names.size(), '\n'));
}

// One directory each, and each gave one cell.
bool are_named_directories(const std::vector<Cell>& cells, std::size_t operands) {
  if (cells.size() != operands || operands < 2) return false;
  return std::ranges::all_of(cells, [](const Cell& cell) { return is_on_disk(cell.origin); });
}

// "base", or the whole path where two end alike.
void add_directory_axis(std::vector<Cell>& cells) {
  std::set<std::string> names;
  for (const Cell& cell : cells) names.insert(fs::path(cell.origin).filename().string());
  for (Cell& cell : cells) {
    const std::string name = fs::path(cell.origin).filename().string();
    cell.axes[std::string(kDirectoryAxis)] =
        names.size() == cells.size() && !name.empty() ? name : cell.origin;
  }
}

Status refuse_two_projects(const std::string& operand, const std::vector<Cell>& cells) {
  std::set<std::string> projects;
  for (const Cell& cell : cells) projects.insert(cell.projects.begin(), cell.projects.end());
  return projects.size() < 2 ? Status{} : Status(of_projects(operand, projects));
}

// Runs made for other projects alone; what was made for none goes with every one.
bool is_of_others(const Cell& cell, const std::string& project) {
  return !project.empty() && !cell.projects.empty() && !cell.projects.contains(project);
}

Error no_results(const std::string& operand, const OperandContext& context) {
  if (!context.project.empty())
    return {.code = ErrorCode::usage,
            .message = fmt::format("comparing '{}': project '{}' has no run of it", printable(operand),
                                   printable(context.project)),
            .hint = "kilter result lists the runs there are"};
  return {.code = ErrorCode::usage,
          .message = fmt::format("comparing '{}': it has no results", printable(operand)),
          .hint = "an operand is a directory with matrix.json or runs, axes (k=v/k=v), or a revision"};
}

model::Axes without_axes(model::Axes axes, const std::vector<std::string>& names) {
  for (const std::string& name : names) axes.erase(name);
  return axes;
}

// Tables of those that are alike in all but `compare_axes`; answers those that are alone.
std::vector<std::size_t> add_groups(Groups& groups, const std::vector<Cell>& cells,
                                    const std::vector<std::size_t>& indexes,
                                    const std::vector<std::string>& compare_axes) {
  std::vector<std::pair<std::string, std::vector<std::size_t>>> found;
  for (const std::size_t index : indexes) {
    const std::string key = model::axes_key(without_axes(cells[index].axes, compare_axes));
    const auto it = std::ranges::find(found, key, &std::pair<std::string, std::vector<std::size_t>>::first);
    if (it == found.end())
      found.push_back({key, {index}});
    else
      it->second.push_back(index);
  }
  std::vector<std::size_t> alone;
  for (auto& [key, members] : found)
    if (members.size() > 1)
      groups.tables.push_back(std::move(members));
    else
      alone.push_back(members[0]);
  return alone;
}

// A kernel that this kilter measured. What others call a configuration is a name that they chose.
bool is_kernel_of_ours(const Cell& cell) {
  if (!cell.projects.empty() || cell.runs.empty()) return false;
  return cell.runs.front().origin.empty() || kernel_of_run(cell.runs.front().directory);
}

std::vector<std::size_t> add_wide_groups(Groups& groups, const std::vector<Cell>& cells,
                                         const std::vector<std::size_t>& alone) {
  std::vector<std::size_t> kernels;
  std::vector<std::size_t> others;
  for (const std::size_t index : alone) (is_kernel_of_ours(cells[index]) ? kernels : others).push_back(index);
  std::vector<std::string> wide = groups.compare_axes;
  wide.insert(wide.end(), {"compiler", "kconfig"});
  const std::vector<std::size_t> left = add_groups(groups, cells, kernels, wide);
  others.insert(others.end(), left.begin(), left.end());
  std::ranges::sort(others);
  return others;
}

}  // namespace

Result<LoadedCells> load_operands(std::span<const std::string> operands, const OperandContext& context) {
  LoadedCells loaded;
  for (std::size_t operand = 0; operand < operands.size(); ++operand) {
    ASSIGN_OR_RETURN(std::vector<Cell> cells, cells_of(operands[operand], context, loaded.notes));
    std::erase_if(cells, [&](const Cell& cell) {
      return !has_all(cell.axes, context.restrict) || is_of_others(cell, context.project);
    });
    if (cells.empty()) return fail(no_results(operands[operand], context));
    if (!is_on_disk(operands[operand])) TRY(refuse_two_projects(operands[operand], cells));
    std::ranges::stable_sort(cells, {}, [](const Cell& cell) { return cell.started; });
    for (Cell& cell : cells) {
      cell.operand = operand;
      loaded.cells.push_back(std::move(cell));
    }
  }
  return loaded;
}

Result<std::string> override_axes(const std::string& axes, const std::string& other) {
  ASSIGN_OR_RETURN(model::Axes merged, model::parse_axes(axes));
  ASSIGN_OR_RETURN(const model::Axes changes, model::parse_axes(other));
  for (const auto& [name, value] : changes) merged[name] = value;
  return model::axes_key(merged);
}

// A line each, or one for all of them when they are many.
void note_alone(Groups& groups, std::span<const Cell> cells, std::span<const std::size_t> alone) {
  constexpr std::size_t kNamed = 3;
  std::map<std::string, int> counts;
  for (const std::size_t index : alone) {
    const std::string key = model::axes_key(without_axes(cells[index].axes, groups.compare_axes));
    if (alone.size() <= kNamed)
      groups.notes.push_back(
          fmt::format("'{}' has nothing to compare {} with", printable(cells[index].origin), printable(key)));
    ++counts[cells[index].origin];
  }
  if (alone.size() <= kNamed) return;
  std::vector<std::string> parts;
  for (const auto& [origin, count] : counts)
    parts.push_back(fmt::format("{} of '{}'", count, printable(origin)));
  groups.notes.push_back(fmt::format("{} results have no counterpart: {}; kilter result --cells lists them",
                                     alone.size(), join(parts, ", ")));
}

Groups group_cells(std::vector<Cell>& cells, const std::vector<std::string>& compare_axes,
                   std::size_t operands) {
  Groups groups{.tables = {}, .compare_axes = compare_axes, .notes = {}};
  if (are_named_directories(cells, operands)) {
    if (!have_distinct_values(cells, compare_axes)) {
      add_directory_axis(cells);
      groups.compare_axes = {std::string(kDirectoryAxis)};
    }
    groups.tables.emplace_back();
    for (std::size_t index = 0; index < cells.size(); ++index) groups.tables[0].push_back(index);
    return groups;
  }
  std::vector<std::size_t> all(cells.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::vector<std::size_t> alone = add_groups(groups, cells, all, compare_axes);
  if (std::ranges::find(compare_axes, "commit") != compare_axes.end())
    alone = add_wide_groups(groups, cells, alone);
  note_alone(groups, cells, alone);
  return groups;
}

}  // namespace kilter::robot
