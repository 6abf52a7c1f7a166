#include "os/journal_file.h"

#include "os/process.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <filesystem>

using namespace kilter;
using namespace kilter::os;

TEST_CASE("a journal is taken over only when its owner is gone") {
  const TempDir temp = *TempDir::create("/tmp", "kilter-journal");
  const Path path = temp.path() / "a.journal";
  {
    Result<JournalFile> mine = JournalFile::create(path);
    REQUIRE(mine);
    REQUIRE(mine->append("one", Durability::synced));
    CHECK_FALSE(JournalFile::take_over(path));
  }
  std::optional<JournalFile> left = JournalFile::take_over(path);
  REQUIRE(left);
  CHECK(left->read().value() == "one\n");
  CHECK(left->remove());
  CHECK_FALSE(std::filesystem::exists(path));
  CHECK_FALSE(JournalFile::take_over(path));
}

TEST_CASE("children do not keep a journal locked") {
  const TempDir temp = *TempDir::create("/tmp", "kilter-journal");
  const Path path = temp.path() / "a.journal";
  Result<std::unique_ptr<Process>> child = failure("not started");
  {
    Result<JournalFile> mine = JournalFile::create(path);
    REQUIRE(mine);
    child = system_runner().start({.argv = {"sleep", "60"}});
    REQUIRE(child);
  }
  CHECK(JournalFile::take_over(path));
}

TEST_CASE("a line that a crash cut short is left out") {
  const TempDir temp = *TempDir::create("/tmp", "kilter-journal");
  const Path path = temp.path() / "a.journal";
  REQUIRE(append_file(path, "one\ntw"));
  std::optional<JournalFile> left = JournalFile::take_over(path);
  REQUIRE(left);
  CHECK(left->read().value() == "one\n");
}

TEST_CASE("what is no file is no journal, and nobody waits for it") {
  const TempDir temp = *TempDir::create("/tmp", "kilter-journal");
  const Path path = temp.path() / "a.journal";
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  CHECK_FALSE(JournalFile::take_over(path));
  CHECK_FALSE(JournalFile::in_use(path));
}
