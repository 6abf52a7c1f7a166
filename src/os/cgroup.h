#pragma once

#include "os/files.h"

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

// A control group as a bag of processes: what enters it, and all its offspring, can be found and killed
// however they fork. It is used for nothing else: the cpu and memory controllers change what is measured
// (another level of scheduling, charging of every page), so none of them is switched on. cgroup v2 where it
// is mounted (hybrid systems too), else the v1 freezer, else v1 pids.
namespace kilter::os {

class Cgroup {
 public:
  // Makes `name` below the caller's own group; nullopt where there is no cgroup file system or no right to
  // use it, which is normal without root.
  [[nodiscard]] static std::optional<Cgroup> create(const Root& root, const std::string& name);
  // A group made by another process, e.g. one that was killed.
  explicit Cgroup(Path path) : path_(std::move(path)) {}

  [[nodiscard]] const Path& path() const { return path_; }
  // All processes in it and in groups made below it.
  [[nodiscard]] std::vector<pid_t> processes() const;
  // SIGKILL to all of them; frozen first where it can be, so that a fork bomb cannot outrun it.
  void kill_all() const;
  // Removes the empty group and those below it; false while a process is left in it.
  bool remove() const;

 private:
  Path path_;
};

}  // namespace kilter::os
