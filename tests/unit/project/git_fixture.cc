#include "unit/project/git_fixture.h"

#include <doctest/doctest.h>

#include <filesystem>

namespace kilter::project {

GitFixture::GitFixture()
    : directory_(value_of(os::TempDir::create(std::filesystem::temp_directory_path(), "kilter-project"))) {
  REQUIRE(os::make_directories(repo()));
  REQUIRE(os::make_directories(home()));
  git({"init", "--quiet", "--initial-branch=main"});
}

Project GitFixture::project(const std::string& rest) const {
  return value_of(parse_project("name: demo\nurl: repo\n" + rest, root() / "demo.yaml"));
}

std::string GitFixture::git(const std::vector<std::string>& args) const {
  os::Command command = {.argv = {"git"}, .cwd = repo()};
  command.argv.insert(command.argv.end(), args.begin(), args.end());
  command.env = {{"GIT_CONFIG_GLOBAL", "/dev/null"},      {"GIT_CONFIG_NOSYSTEM", "1"},
                 {"GIT_AUTHOR_NAME", "Ada Example"},      {"GIT_AUTHOR_EMAIL", "ada@example.org"},
                 {"GIT_COMMITTER_NAME", "Ada Example"},   {"GIT_COMMITTER_EMAIL", "ada@example.org"},
                 {"GIT_AUTHOR_DATE", "1700000000 +0100"}, {"GIT_COMMITTER_DATE", "1700000000 +0100"}};
  std::string out = value_of(os::run_checked(os::system_runner(), command));
  while (out.ends_with('\n')) out.pop_back();
  return out;
}

void GitFixture::write(const std::string& name, const std::string& text) const {
  const os::Path path = repo() / name;
  REQUIRE(os::make_directories(path.parent_path()));
  REQUIRE(os::write_file(path, text));
}

std::string GitFixture::commit(const std::string& name, const std::string& text,
                               const std::string& message) const {
  write(name, text);
  git({"add", "-A"});
  git({"commit", "--quiet", "--cleanup=verbatim", "-m", message});
  return git({"rev-parse", "HEAD"});
}

}  // namespace kilter::project
