#include "os/files.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <chrono>

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

TEST_CASE("a pipe or a device in a file's place is refused at once") {
  const TempDir dir = *TempDir::create("/tmp", "files-test");
  const Path pipe = dir.path() / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  for (const Path& path : {pipe, Path("/dev/zero")}) {
    const Result<std::string> text = read_file(path);
    REQUIRE_FALSE(text);
    CHECK(text.error().message == "reading '" + path.string() + "': it is no file");
    CHECK_FALSE(read_tail(path, 10));
    CHECK_FALSE(append_contents(path, dir.path() / "copy"));
  }
}

TEST_CASE("a link takes the place of a link, and of nothing else") {
  const TempDir dir = *TempDir::create("/tmp", "files-test");
  const Path link = dir.path() / "link";
  REQUIRE(replace_symlink("/one", link));
  REQUIRE(replace_symlink("/two", link));
  CHECK(std::filesystem::read_symlink(link) == "/two");
  const Path file = dir.path() / "precious";
  REQUIRE(write_file(file, "kept"));
  CHECK(can_replace_symlink(link));
  CHECK(can_replace_symlink(dir.path() / "new"));
  CHECK_FALSE(std::filesystem::exists(std::filesystem::symlink_status(dir.path() / "new")));
  CHECK(std::filesystem::read_symlink(link) == "/two");
  for (const Path& bad : {file, dir.path(), dir.path() / "", dir.path() / "none/link", Path("/proc/link")})
    CHECK_FALSE(can_replace_symlink(bad));
  CHECK(list_directory(dir.path()).size() == 2);
  CHECK_FALSE(replace_symlink("/two", file));
  CHECK(read_file(file).value() == "kept");
}

TEST_CASE("a file that has the bytes already is left alone") {
  const Result<TempDir> dir = TempDir::create("/tmp", "kilter-files");
  REQUIRE(dir);
  const Path file = dir->path() / "job.yaml";
  REQUIRE(write_changed_file(file, "one"));
  const std::filesystem::file_time_type long_ago =
      std::filesystem::file_time_type::clock::now() - std::chrono::hours(1);
  std::filesystem::last_write_time(file, long_ago);
  REQUIRE(write_changed_file(file, "one"));
  CHECK(std::filesystem::last_write_time(file) == long_ago);
  REQUIRE(write_changed_file(file, "two"));
  CHECK(read_file(file).value() == "two");
  CHECK(std::filesystem::last_write_time(file) > long_ago);
}
