#pragma once

#include "model/axes.h"
#include "model/run_table.h"
#include "store/sqlite_file.h"
#include "store/store.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

// Private to this room: what runs measured, out of the rows of `value`. Throws SQLite::Exception.
namespace kilter::store {

constexpr std::size_t kMostMetrics = std::size_t{1} << 20;  // of one run

// The number of a row of `value`.
[[nodiscard]] std::int64_t value_id(std::int64_t run, std::size_t chunk);
[[nodiscard]] std::string_view bytes_of(const SQLite::Column& column);
// Of a run whose bytes do not say what its key set promises.
[[nodiscard]] tl::unexpected<Error> damaged_values(std::int64_t run);

// All `count` values of a run, in the order of its key set.
[[nodiscard]] Result<std::vector<model::Number>> read_run_values(SqliteFile& file, std::int64_t run,
                                                                 std::size_t count);
// Store::series_builds and Store::run_table.
[[nodiscard]] Result<std::vector<SeriesBuild>> read_series_builds(SqliteFile& file,
                                                                  const model::Axes& without_commit);
[[nodiscard]] Result<model::RunTable> read_run_table(SqliteFile& file, const std::vector<std::int64_t>& runs);

}  // namespace kilter::store
