#pragma once

#include "base/result.h"
#include "os/files.h"
#include "robot/operands.h"
#include "robot/run_matrix.h"

#include <map>
#include <span>
#include <string>
#include <vector>

// Cells out of result directories, Kilter's and LKP's.
namespace kilter::robot {

// Of the machine of a run directory, by its machine.json; empty when that cannot be read.
[[nodiscard]] std::map<std::string, std::string> machine_fingerprint(const os::Path& run);

// The cell of runs that share `axes`; fingerprint and program are those of the first run whose
// machine.json and plan.json are readable.
[[nodiscard]] Cell cell_of_runs(const model::Axes& axes, std::span<const MeasuredRun> runs);

// All cells at or below `path`: a matrix.json[.gz] or the directory of one, one run, runs 0/ 1/ 2/, or a tree
// of such. The origin of a cell is its directory. What cannot be read is an error when `path` itself is it,
// else a note. Axes come from the runs' outcome.json, else as lkp_axes.h says.
[[nodiscard]] Result<std::vector<Cell>> read_cell_directories(const std::string& path,
                                                              std::vector<std::string>& notes);

}  // namespace kilter::robot
