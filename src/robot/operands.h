#pragma once

#include "base/result.h"
#include "model/axes.h"
#include "model/run.h"
#include "model/series.h"
#include "os/files.h"
#include "robot/project_commit.h"
#include "store/store.h"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

// What people compare: directories, axes, revisions -> cells, and cells -> groups that belong in one table.
namespace kilter::robot {

// All runs of one set of axes: a column of a table.
struct Cell {
  model::Axes axes;
  model::Matrix matrix;
  std::string origin;                              // "results/x", "4f2a91c": where it came from
  std::map<std::string, std::string> fingerprint;  // of the machine of its first run; empty: unknown
  std::string program;                 // that its first run measured, by its plan.json; "": unknown
  std::size_t operand = 0;             // index of the operand it came from
  double started = 0;                  // of its first run, seconds since 1970; 0: unknown
  bool from_lkp = false;               // a matrix.json, where a missing number may stand as 0
  std::set<std::string> build_ids;     // of what was measured; empty: unknown
  std::set<std::string> projects;      // its runs were made for; empty: none, or unknown
  std::vector<model::RunRecord> runs;  // that have an outcome.json, oldest first
};

struct OperandContext {
  store::Store* store = nullptr;     // may be null: then only directories are known
  std::optional<Error> store_error;  // why it is null; the answer to whoever asks for more than a directory
  // A revision as typed ("HEAD~3", "v1.2") -> the commits its runs are stored under, one for each project
  // that knows it; empty: no project is known.
  std::function<std::vector<ProjectCommit>(const std::string& revision)> resolve;
  // Branches and tags of the projects, to guess what a mistyped one means; empty: none.
  std::function<std::vector<std::string>()> names;
  std::string running;   // the commit of the running kernel: what "running" means; "" nothing
  model::Axes restrict;  // of -s: only cells with all of these
  std::string project;   // of -p: no run of another project, stored or in a directory; "": any
};

struct LoadedCells {
  std::vector<Cell> cells;         // by operand, then by time, then by axes
  std::vector<std::string> notes;  // what was left out and why
};

// An operand is, tried in this order:
//   a directory with matrix.json[.gz] (LKP's _rt), or that file; one run (stats.json); runs 0/ 1/ 2/ ...; or
//   a
//     tree of such (never through links);
//   axes, "testcase=netperf/commit=4f2a91c": every stored cell that has them (a commit may be a prefix);
//   a revision, the first digits of a commit, the release of a kernel or its beginning, or "running": every
//     stored cell of it.
// One that finds nothing is an error that says what was tried and what it may be a slip of, and so are a
// revision and axes that were measured in two projects, unless one is chosen.
[[nodiscard]] Result<LoadedCells> load_operands(std::span<const std::string> operands,
                                                const OperandContext& context);

// "-s AXES -o OTHER": AXES with the axes of OTHER put in.
[[nodiscard]] Result<std::string> override_axes(const std::string& axes, const std::string& other);

// Cells of one table, as indexes, the base first.
struct Groups {
  std::vector<std::vector<std::size_t>> tables;  // each of two or more
  std::vector<std::string> compare_axes;         // as asked, or "directory" (see below)
  std::vector<std::string> notes;                // cells that had no counterpart
};

// Cells equal in everything but `compare_axes` form a group. Kernels of this machine that have no counterpart
// form one with what differs in compiler and kconfig, too, where commits are compared: kernels are rarely
// alike in all. Cells of directories that were named one by one
// form one group whatever their axes, for whoever names two directories wants them compared; where their
// compared values are alike, an axis "directory" is added to them and compared.
[[nodiscard]] Groups group_cells(std::vector<Cell>& cells, const std::vector<std::string>& compare_axes,
                                 std::size_t operands);

}  // namespace kilter::robot
