#pragma once

#include "os/files.h"
#include "os/process.h"
#include "project/recipe.h"

#include <string>
#include <vector>

// Foreign build scripts run in bubblewrap: no network, the host's files read-only, keys of the user hidden,
// and every process ends with the build. Where bubblewrap does not work they run plainly.
namespace kilter::project {

struct SandboxView {
  os::Path source;  // the real directory of the sources
  os::Path mount;   // where the build sees it: one place for all revisions, so that paths in artefacts agree
  os::Path tmp;     // seen as /tmp
  os::Path cache;   // writable too
  bool network = false;
};

class Sandbox {
 public:
  // Tries bubblewrap once, with the flags that builds use.
  [[nodiscard]] static Sandbox detect(os::ProcessRunner& runner);
  [[nodiscard]] static Sandbox none(std::string reason) { return Sandbox(false, std::move(reason)); }

  [[nodiscard]] bool usable() const { return usable_; }
  [[nodiscard]] const std::string& reason() const { return reason_; }  // why it is not usable
  // The argv that runs `argv` in it, in the directory `mount`.
  [[nodiscard]] Argv wrap(const Argv& argv, const SandboxView& view) const;

 private:
  Sandbox(bool usable, std::string reason) : usable_(usable), reason_(std::move(reason)) {}
  bool usable_;
  std::string reason_;
};

}  // namespace kilter::project
