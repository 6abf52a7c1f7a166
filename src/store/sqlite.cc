#include "store/sqlite.h"

#include <fmt/core.h>

#include <array>
#include <sqlite3.h>

namespace kilter::store {
namespace {

struct Cause {
  int code;
  const char* text;  // nullptr: SQLite's own words
  const char* hint;
};

constexpr std::array<Cause, 10> kCauses = {{
    {SQLITE_BUSY, "another process has it locked", "wait for that process to end, or use another --home"},
    {SQLITE_LOCKED, "another process has it locked", "wait for that process to end, or use another --home"},
    {SQLITE_READONLY, "it is read-only", "use a --home that can be written"},
    {SQLITE_CANTOPEN, "it cannot be opened or made",
     "see that its directory exists and can be written, or use another --home"},
    {SQLITE_PERM, "permission denied", "use a --home that can be written"},
    {SQLITE_AUTH, "permission denied", "use a --home that can be written"},
    {SQLITE_FULL, "the disk is full",
     "make room; the run directories are safe, 'kilter reindex' takes them in"},
    {SQLITE_CORRUPT, "it is damaged", "rebuild it from the run directories: kilter reindex"},
    {SQLITE_NOTADB, "it is not a database", "rebuild it from the run directories: kilter reindex"},
    {SQLITE_IOERR, nullptr, "see the disk; the run directories are safe, 'kilter reindex' takes them in"},
}};

}  // namespace

Error sqlite_error(const SQLite::Exception& error, const std::string& action, const os::Path& db) {
  const int code = error.getErrorCode() & 0xff;
  std::string text = error.what();
  std::string hint;
  for (const Cause& cause : kCauses) {
    if (cause.code != code) continue;
    if (cause.text != nullptr) text = cause.text;
    hint = cause.hint;
  }
  return {ErrorCode::failure, fmt::format("{} '{}': {}", action, db.string(), text), hint};
}

}  // namespace kilter::store
