#pragma once

#include "project/construction.h"
#include "project/repository.h"

#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

// Builds revisions of a project, in a clean directory, cached by sources, recipe and tools
// (docs/projects.md). Nothing here measures: the caller sees to it that nothing measures meanwhile either.
namespace kilter::project {

struct BuildOptions {
  double timeout = 0;  // seconds; 0: the project's
  int jobs = 0;        // processes in all; 0: one per CPU
  int slots = 0;       // builds side by side in build_all(); 0: as many as make sense
  int layout = 0;      // seed of the order in which it is linked (layout.h); 0: as the recipe makes it
  std::function<void(const BuildProgress&)> progress;
};

class Builder {
 public:
  // Usage error when the project says no recipe or no artefacts. `repository` and `runner` must live longer.
  [[nodiscard]] static Result<Builder> create(const Repository& repository, const os::Path& home,
                                              os::ProcessRunner& runner);

  // A build that fails, hangs or makes no artefact is a BuildResult with outcome build_failed; a patch that
  // does not apply, a missing compiler or a full disk is an Error. A build in the cache is checked against
  // its hashes and made anew when they do not fit.
  [[nodiscard]] Result<BuildResult> build(const model::Revision& revision, const BuildOptions& options = {});
  // One result per revision, in order. Equal sources are built once. Where each of them was built well and
  // lacks an artefact the recipe is wrong, not the sources: a usage error.
  [[nodiscard]] Result<std::vector<BuildResult>> build_all(std::span<const model::Revision> revisions,
                                                           const BuildOptions& options = {});
  // The key that the build of `revision` has, or will have, in the cache.
  [[nodiscard]] Result<std::string> key_of(const model::Revision& revision);

 private:
  Builder(BuildSite site, Sandbox sandbox) : site_(std::move(site)), sandbox_(std::move(sandbox)) {}
  [[nodiscard]] Result<BuildInputs> inputs_of(const model::Revision& revision, int layout);
  [[nodiscard]] BuildSite site() const;

  BuildSite site_;
  Sandbox sandbox_;
  std::map<std::string, std::string> tools_;
};

}  // namespace kilter::project
