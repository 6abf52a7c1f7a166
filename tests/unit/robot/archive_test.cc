#include "robot/archive.h"

#include "base/text.h"
#include "os/process.h"

#include <doctest/doctest.h>

using namespace kilter;

namespace {

std::string listed(const os::Path& archive) {
  return os::system_runner()
      .run({.argv = {"tar", "--utc", "--full-time", "-tvzf", archive.string()}, .env = {{"LC_ALL", "C"}}})
      ->out;
}

}  // namespace

TEST_CASE("an archive is dated, keeps programs and links, and is the same when it is made again") {
  const os::TempDir temp = *os::TempDir::create("/tmp", "kilter-archive");
  const std::vector<robot::ArchiveMember> members = {
      {.name = "a/run.sh", .text = "true\n", .executable = true}, {.name = "a/link", .link = "run.sh"}};
  REQUIRE(robot::write_archive(temp.path() / "x/one.tar.gz", members, 1745214507));
  REQUIRE(robot::write_archive(temp.path() / "x/two.tar.gz", members, 1745214507));
  const std::string list = listed(temp.path() / "x/one.tar.gz");
  CHECK(list.contains("-rwxr-xr-x"));
  CHECK(list.contains("2025-04-21 05:48:27"));
  CHECK(list.contains("a/link -> run.sh"));
  CHECK(os::read_file(temp.path() / "x/one.tar.gz").value() ==
        os::read_file(temp.path() / "x/two.tar.gz").value());
}

TEST_CASE("an archive never takes the place of another") {
  const os::TempDir temp = *os::TempDir::create("/tmp", "kilter-archive");
  const os::Path path = temp.path() / "one.tar.gz";
  REQUIRE(os::write_file(path, "precious"));
  const Status written = robot::write_archive(path, {{.name = "a", .text = "b"}}, 0);
  REQUIRE_FALSE(written);
  CHECK(written.error().message.contains("there already"));
  CHECK(os::read_file(path).value() == "precious");
  CHECK(os::list_directory(temp.path()).size() == 1);
}
