#include "store/sqlite.h"

#include <fmt/core.h>

#include <array>
#include <sqlite3.h>

namespace kilter::store {
namespace {

struct Cause {
  int code;
  const char* text;
  const char* hint;
};

constexpr const char* kRebuild = "rebuild it from the run directories: kilter reindex";

constexpr std::array<Cause, 9> kCauses = {{
    {SQLITE_BUSY, "another process has it locked", "wait for that process to end, or use another --home"},
    {SQLITE_LOCKED, "another process has it locked", "wait for that process to end, or use another --home"},
    {SQLITE_READONLY, "it is read-only", "use a --home that can be written"},
    {SQLITE_CANTOPEN, "it cannot be opened or made",
     "see that its directory exists and can be written, or use another --home"},
    {SQLITE_PERM, "permission denied", "use a --home that can be written"},
    {SQLITE_AUTH, "permission denied", "use a --home that can be written"},
    {SQLITE_CORRUPT, "it is damaged", kRebuild},
    {SQLITE_NOTADB, "it is not a database", kRebuild},
    {SQLITE_IOERR, "the disk could not be read or written",
     "see the disk; the run directories are safe, 'kilter reindex' takes them in"},
}};

constexpr std::uint64_t kFullDisk = std::uint64_t{256} << 10;  // bytes left; SQLite's files need as much

// SQLite has many words for it, which depend on the file it wanted to make or grow.
bool is_disk_full(int code, const os::Path& db) {
  if (code == SQLITE_FULL) return true;
  return (code == SQLITE_IOERR || code == SQLITE_CANTOPEN) && os::free_bytes(db.parent_path()) < kFullDisk;
}

bool lacks_a_table(int code, std::string_view text) {
  return code == SQLITE_ERROR && text.starts_with("no such ");
}

}  // namespace

Error sqlite_error(const SQLite::Exception& error, const std::string& action, const os::Path& db) {
  const int code = error.getErrorCode() & 0xff;
  std::string text = error.what();
  std::string hint;
  for (const Cause& cause : kCauses) {
    if (cause.code != code) continue;
    text = cause.text;
    hint = cause.hint;
  }
  if (is_disk_full(code, db)) {
    text = fmt::format("the disk of '{}' is full", db.parent_path().string());
    hint = "make room; the run directories are safe, 'kilter reindex' takes them in";
  } else if (lacks_a_table(code, text)) {
    text = "it is damaged: " + text;
    hint = kRebuild;
  }
  return {ErrorCode::failure, fmt::format("{} '{}': {}", action, db.string(), text), hint};
}

}  // namespace kilter::store
