#pragma once

#include "os/cgroup.h"
#include "os/process.h"

#include <optional>
#include <string>
#include <utility>

// The promise that nothing a workload starts outlives it, however it forks. Three nets, since each has a
// hole:
//   - a cgroup, where there is the right to make one;
//   - a marker variable in the environment, inherited by all that is started (a program may overwrite it);
//   - orphans: while a Containment lives, this process is the subreaper of its descendants, so daemons that
//   lost
//     their parent become its children and are found by that.
// Process groups (os/process.h) are the first net and catch the ordinary case.
namespace kilter::os {

inline constexpr char kRunMarker[] = "KILTER_RUN";

class Containment {
 public:
  // `id` must be unique on the machine: it names the cgroup and is the marker's value. One at a time per
  // process.
  Containment(const Root& root, std::string id);
  // Sweeps, removes the cgroup, gives up being the subreaper.
  ~Containment();
  Containment(const Containment&) = delete;
  Containment& operator=(const Containment&) = delete;

  // Puts `command` into the cgroup and marks its environment.
  void enclose(Command& command);
  [[nodiscard]] const std::optional<Cgroup>& cgroup() const { return cgroup_; }

  struct Swept {
    int killed = 0;     // processes that were still alive
    Usage usage;        // of orphans that ended as our children, earlier ones included
    bool clean = true;  // false: something could not be killed (state D)
  };
  // SIGKILL to everything that is left, until nothing is.
  Swept sweep();

 private:
  std::string id_;
  std::optional<Cgroup> cgroup_;
  std::uint64_t since_ = 0;  // clock ticks since boot when the run began
  int was_subreaper_ = 0;
  bool in_use_ = false;  // something was started since the last sweep
};

// Kills what carries `name`=`id` in its environment or sits in `cgroup` (may be empty), and removes the
// cgroup; for a run whose kilter was killed.
void sweep_stale(const std::string& id, const Path& cgroup);

}  // namespace kilter::os
