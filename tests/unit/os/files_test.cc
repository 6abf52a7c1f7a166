#include "os/files.h"

#include <doctest/doctest.h>

using namespace kilter;
using namespace kilter::os;

TEST_CASE("files are replaced in one step and errors name the path") {
  const Result<TempDir> dir = TempDir::create("/tmp", "files-test");
  REQUIRE(dir);
  const Path file = dir->path() / "a";
  REQUIRE(write_file(file, "one"));
  REQUIRE(write_file(file, "two", Durability::synced));
  CHECK(read_file(file).value() == "two");
  CHECK(list_directory(dir->path()).size() == 1);
  const Result<std::string> missing = read_file(dir->path() / "b");
  REQUIRE_FALSE(missing);
  CHECK(missing.error().message.contains("/b': No such file or directory"));
  CHECK_FALSE(read_file(dir->path()));
}

TEST_CASE("names are listed with numbers by value") {
  const Result<TempDir> dir = TempDir::create("/tmp", "files-test");
  REQUIRE(dir);
  for (const char* name : {"cpu10", "cpu2", "cpu1"}) REQUIRE(write_file(dir->path() / name, ""));
  CHECK(Root(dir->path()).list("/") == std::vector<std::string>{"cpu1", "cpu2", "cpu10"});
}

TEST_CASE("a lock held elsewhere is reported after the wait") {
  const Result<TempDir> dir = TempDir::create("/tmp", "files-test");
  REQUIRE(dir);
  const Result<FileLock> first = FileLock::acquire(dir->path() / "lock", 0);
  REQUIRE(first);
  CHECK_FALSE(FileLock::acquire(dir->path() / "lock", 0.05));
}

TEST_CASE("rename_new moves only where nothing stands") {
  const TempDir dir = *TempDir::create("/tmp", "kilter-rename");
  REQUIRE(make_directories(dir.path() / "a").has_value());
  REQUIRE(make_directories(dir.path() / "b").has_value());
  CHECK(rename_new(dir.path() / "a", dir.path() / "b").value() == false);
  CHECK(rename_new(dir.path() / "a", dir.path() / "c").value() == true);
  CHECK_FALSE(rename_new(dir.path() / "a", dir.path() / "d").has_value());
}
