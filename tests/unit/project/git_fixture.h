#pragma once

#include "os/files.h"
#include "os/process.h"
#include "project/project.h"

#include <string>
#include <vector>

namespace kilter::project {

// A directory with a real git repository in `repo`, made command by command, and an empty kilter home.
class GitFixture {
 public:
  GitFixture();

  os::Path root() const { return directory_.path(); }
  os::Path home() const { return root() / "home"; }
  os::Path repo() const { return root() / "repo"; }
  // A project file's contents, read as "<root>/demo.yaml".
  Project project(const std::string& rest = "") const;

  std::string git(const std::vector<std::string>& args) const;
  void write(const std::string& name, const std::string& text) const;
  // Writes the file, commits it, returns the sha.
  std::string commit(const std::string& name, const std::string& text, const std::string& message) const;
  std::string path_of(const std::string& name) const { return (root() / name).string(); }

 private:
  os::TempDir directory_;
};

// Fails the test when there is none.
template <class T>
T value_of(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().message);
  return std::move(*result);
}

}  // namespace kilter::project
