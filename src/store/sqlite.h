#pragma once

#include "base/result.h"
#include "os/files.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <string>
#include <utility>

// Private to this room: SQLite's exceptions become Errors here.
namespace kilter::store {

// One line and a hint for what SQLite could not do with the file `db`.
[[nodiscard]] Error sqlite_error(const SQLite::Exception& error, const std::string& action,
                                 const os::Path& db);

// Runs `body` (which answers a Result); a SQLite exception becomes the error "<action> '<db>': <cause>".
template <class Body>
[[nodiscard]] auto guarded(const std::string& action, const os::Path& db, Body&& body) -> decltype(body()) {
  try {
    return std::forward<Body>(body)();
  } catch (const SQLite::Exception& error) {
    return fail(sqlite_error(error, action, db));
  }
}

// A prepared statement in use: reset when the scope ends, so that it holds no lock and can be used again.
class Using {
 public:
  explicit Using(SQLite::Statement& statement) : statement_(statement) { statement_.tryReset(); }
  Using(const Using&) = delete;
  Using& operator=(const Using&) = delete;
  ~Using() { statement_.tryReset(); }
  template <class... Values>
  Using& bind(const Values&... values) {
    int index = 0;
    (statement_.bind(++index, values), ...);
    return *this;
  }
  SQLite::Statement* operator->() { return &statement_; }

 private:
  SQLite::Statement& statement_;
};

}  // namespace kilter::store
