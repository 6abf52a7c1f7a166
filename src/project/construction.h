#pragma once

#include "model/run.h"
#include "project/build_cache.h"
#include "project/repository.h"
#include "project/sandbox.h"
#include "project/slot.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>

// One build on its way. It never blocks for long: several are driven side by side by polling, each with one
// child process (threads are no way: a child dies with the thread that started it).
namespace kilter::project {

// SOURCE_DATE_EPOCH of builds. Any fixed second does; a commit's own date would make equal sources differ.
inline constexpr const char* kSourceDate = "1577836800";

struct BuildProgress {
  std::string label;  // of the revision
  std::size_t step = 0;
  std::size_t steps = 0;
  std::string text;  // "cmake --build build -j 2", "waiting for another build"
};

// How a build ended. What is no fault of the sources (no disk, no compiler) is an Error instead.
struct BuildResult {
  model::Outcome outcome = model::Outcome::ok;  // or build_failed
  model::Build build;                           // of a failed build: key, log and seconds
  std::string reason;                           // one line, when it failed
  std::string tail;                             // then also the last lines of the log, printable
  bool lacks_artefact = false;                  // then: every step went well, and a file is not there
};

// What all builds of a project share; the referred-to objects live longer than the builds.
struct BuildSite {
  const Repository* repository = nullptr;
  const Sandbox* sandbox = nullptr;
  os::ProcessRunner* runner = nullptr;
  BuildPlaces places;
};

struct BuildOrder {
  model::Revision revision;
  BuildInputs inputs;
  std::string key;
  double timeout = 0;  // seconds
  int jobs = 1;
  std::function<void(const BuildProgress&)> progress;
};

class Construction {
 public:
  Construction(const BuildSite& site, BuildOrder order);
  // True once it is done.
  [[nodiscard]] Result<bool> poll();
  [[nodiscard]] BuildResult take() { return std::move(result_); }

 private:
  [[nodiscard]] Result<bool> enter();
  [[nodiscard]] Result<bool> enter_lock();
  [[nodiscard]] Status prepare();
  [[nodiscard]] Result<bool> start_step();
  [[nodiscard]] Result<bool> watch_step();
  [[nodiscard]] Result<bool> finish();
  [[nodiscard]] Result<bool> end_failed(std::string reason);
  [[nodiscard]] Result<bool> end_without(const std::string& artefact);
  [[nodiscard]] os::Command command_of(const Argv& step) const;
  [[nodiscard]] bool sandboxed() const;
  void tell(const std::string& text) const;

  BuildSite site_;
  BuildOrder order_;
  double began_;  // then, once it has its slot, when the work began
  bool told_waiting_ = false;
  std::optional<os::FileLock> lock_;
  std::optional<Slot> slot_;
  std::size_t step_ = 0;
  std::unique_ptr<os::Process> process_;
  BuildResult result_;
};

}  // namespace kilter::project
