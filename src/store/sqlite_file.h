#pragma once

#include "model/axes.h"
#include "model/series.h"
#include "store/sqlite.h"
#include "store/store.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

// Private to this room: the open kilter.db with its statements, transactions and interned texts. What fails
// throws SQLite::Exception, but for what answers a Status.
namespace kilter::store {

// The file that is locked while a database is opened or exchanged.
[[nodiscard]] Path lock_of(const Path& db);

struct KeySet {
  std::size_t size = 0;
  std::string ids;  // key_set.h
};

class SqliteFile {
 public:
  SqliteFile(Path db, Access access) : db_(std::move(db)), access_(access) {}

  [[nodiscard]] Status open();
  // `kilter reindex` puts a new file in this one's place: then that one is opened.
  [[nodiscard]] Status reopen_if_replaced();
  // Runs `work` in a transaction, or in the one that is open already.
  [[nodiscard]] Status transact(const std::function<Status()>& work);
  [[nodiscard]] const Path& path() const { return db_; }

  // Prepared once per text.
  Using statement(const std::string& sql);
  // Inserts a row and answers its number.
  std::int64_t last_id() { return database_->getLastInsertRowid(); }

  // Numbers of interned things, made when they are new.
  std::int64_t text_id(const std::string& text);
  std::int64_t cell_id(const model::Axes& axes);
  std::int64_t key_set_id(const model::Metrics& metrics);
  // The place and seat of a run directory, see schema.cc.
  std::pair<std::int64_t, std::int64_t> place_of(const std::string& directory);

  // And back. nullptr or "" when the database is damaged.
  const std::string& text(std::int64_t id);
  const std::string& metric_key(std::int64_t id);
  const KeySet* key_set(std::int64_t id);
  [[nodiscard]] std::string directory_of(const std::string& place, std::int64_t seat) const;

 private:
  // For Access::read, see open_store().
  [[nodiscard]] Status open_to_read();
  [[nodiscard]] Status open_copy();
  void connect(const std::string& name, int flags);
  [[nodiscard]] bool is_replaced();

  using Ids = std::unordered_map<std::string, std::int64_t>;
  using Texts = std::unordered_map<std::int64_t, std::string>;
  // What has been read from the interning tables: correct for ever, since those only grow.
  struct Interned {
    Ids texts;
    Ids cells;
    Ids places;
    Ids key_sets;  // by hash
    Ids metrics;
    Texts text_of;
    Texts metric_of;
    std::unordered_map<std::int64_t, KeySet> key_set_of;
  };

  // The two statements of an interning table, prepared once for many texts.
  struct Table {
    Using found;
    Using added;
  };
  Table table(const std::string& name, const std::string& column);
  std::int64_t intern(Ids& known, Table& table, const std::string& text);
  std::int64_t intern(Ids& known, Table&& table, const std::string& text);
  const std::string& look_up(Texts& known, const std::string& sql, std::int64_t id);

  Path db_;
  Access access_;
  std::optional<os::TempDir> copy_;  // what is read in the place of db_
  std::unique_ptr<SQLite::Database> database_;
  std::map<std::string, SQLite::Statement> statements_;
  Interned interned_;
  bool in_transaction_ = false;
};

}  // namespace kilter::store
