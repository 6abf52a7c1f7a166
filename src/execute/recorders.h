#pragma once

#include "execute/machine.h"

#include <memory>
#include <string>
#include <vector>

namespace kilter::execute {

// The recorders of one run. A recorder prints "ready" on a line of its own once it records; one that does not
// within five seconds is dropped with a note, and the run goes on without it.
class Recorders {
 public:
  Recorders(const RunRequest& request, os::ProcessRunner& runner, os::Clock& clock)
      : request_(request), runner_(runner), clock_(clock) {}

  // Starts all at once and waits until each is ready or dropped.
  void start();
  // Those that still run; wait for them too (os::wait_for_any), so that their pipes are emptied.
  [[nodiscard]] std::vector<os::Process*> alive();
  // SIGTERM, twenty seconds to write its files, SIGKILL.
  void stop();

  [[nodiscard]] double cpu_seconds() const { return cpu_seconds_; }
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

 private:
  struct Running {
    std::string name;
    std::unique_ptr<os::Process> process;
    bool ready = false;
    bool reported = false;
  };

  void start_one(const model::Recorder& recorder);
  void drop(Running& running);
  void note_end(Running& running, const os::ProcessResult& result);
  [[nodiscard]] os::Path errors_of(const std::string& name) const;

  const RunRequest& request_;
  os::ProcessRunner& runner_;
  os::Clock& clock_;
  std::vector<Running> running_;
  std::vector<std::string> notes_;
  double cpu_seconds_ = 0;
};

}  // namespace kilter::execute
