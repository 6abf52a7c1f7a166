#pragma once

#include "store/sqlite_file.h"
#include "store/store.h"

// Private to this room: whole series out of the database. Throws SQLite::Exception.
namespace kilter::store {

// See Store.
[[nodiscard]] Result<SeriesTable> read_series_table(SqliteFile& file, const model::Axes& without_commit,
                                                    const KeyFilter& wanted);
[[nodiscard]] Result<SeriesShape> read_series_shape(SqliteFile& file, const model::Axes& without_commit);

}  // namespace kilter::store
