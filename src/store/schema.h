#pragma once

#include "base/result.h"
#include "os/files.h"

#include <SQLiteCpp/SQLiteCpp.h>

// Private to this room: the tables of kilter.db and how older ones become today's.
namespace kilter::store {

// Makes the tables of an empty file or brings an older schema up to date, in one transaction. A file of a
// newer kilter, or of another program, is left as it is and answered with an error.
[[nodiscard]] Status bring_up_to_date(SQLite::Database& database, const os::Path& db);
// For reading. False: it must be brought up to date first. What is foreign or too new is an error.
[[nodiscard]] Result<bool> is_up_to_date(SQLite::Database& database, const os::Path& db);

}  // namespace kilter::store
