#pragma once

#include "os/files.h"
#include "os/process.h"

#include <map>
#include <string>
#include <vector>

// git as a child process, never through a shell, and shielded from the user's environment: no configuration
// but <home>/gitconfig (for proxies, credentials and safe.directory), no prompts, no hooks, no unusual
// transports.
namespace kilter::project {

class Git {
 public:
  // `directory`: the bare repository.
  Git(os::ProcessRunner& runner, os::Path home, os::Path directory)
      : runner_(&runner), home_(std::move(home)), directory_(std::move(directory)) {}

  struct Call {
    std::vector<std::string> args;  // after "git --git-dir=..."
    std::map<std::string, std::string> env;
    os::Path cwd;
    std::string input;  // on its stdin
    double timeout = 120;
  };
  // What git did, whatever its exit code. An Error when it could not be started, timed out or was
  // interrupted.
  [[nodiscard]] Result<os::ProcessResult> run(const Call& call) const;
  // Its stdout; any exit code but 0 is an Error with git's own first complaint.
  [[nodiscard]] Result<std::string> output(const std::vector<std::string>& args) const;
  [[nodiscard]] Result<std::string> output(const Call& call) const;

  [[nodiscard]] const os::Path& directory() const { return directory_; }

 private:
  os::ProcessRunner* runner_;
  os::Path home_;
  os::Path directory_;
};

// The line of git's stderr that says what is wrong, without "fatal: ", made printable.
[[nodiscard]] std::string git_complaint(const std::string& err);

}  // namespace kilter::project
