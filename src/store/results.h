#pragma once

#include "base/result.h"
#include "model/run.h"
#include "model/series.h"
#include "os/files.h"

#include <string>
#include <string_view>
#include <vector>

// The tree of run directories below <home>/results: the truth that the database indexes.
namespace kilter::store {

using os::Path;

// <testcase>/<path_params>/<tbox_group>/<rootfs>/<kconfig>/<compiler>/<commit>, from the record's axes. Every
// component is one safe file name: never empty, hidden, "..", with a '/' or longer than 200 bytes.
[[nodiscard]] std::string result_path(const model::RunRecord& record);
[[nodiscard]] std::string safe_component(std::string_view text);

// A fresh directory below results/.tmp for a run to be recorded in. It is the caller's until commit_run().
[[nodiscard]] Result<Path> begin_run(const Path& home);
// Writes outcome.json into `directory` and moves it to the first free number of its place in the tree; sets
// the record's number and directory. Safe against other kilters that do the same.
[[nodiscard]] Result<Path> commit_run(const Path& home, const Path& directory, model::RunRecord& record);
// Removes what killed kilters of this host left in results/.tmp; answers how many.
[[nodiscard]] std::size_t sweep_unfinished(const Path& home);

// What a run directory says: outcome.json, with number and directory from where it stands.
[[nodiscard]] Result<model::RunRecord> read_record(const Path& directory);
// Its stats.json, sorted by key; none when there is no such file.
[[nodiscard]] Result<model::Metrics> read_stats(const Path& directory);
// All run directories below results/, sorted. Never follows links.
[[nodiscard]] std::vector<Path> run_directories(const Path& home);

}  // namespace kilter::store
