#pragma once

#include "model/project.h"
#include "os/files.h"
#include "os/process.h"
#include "project/project.h"

#include <map>
#include <optional>
#include <string>

// Finished builds in <home>/build/<project>/<key>/: the artefacts, build.log, and meta.json with their
// hashes.
namespace kilter::project {

// Everything the artefacts depend on.
struct BuildInputs {
  std::string tree;  // sha of the sources
  std::vector<Argv> steps;
  std::map<std::string, std::string> env;        // of the recipe
  std::map<std::string, std::string> artefacts;  // name -> path below the sources
  std::map<std::string, std::string> tools;      // name -> version
};
// 24 hex digits.
[[nodiscard]] std::string cache_key(const BuildInputs& inputs);

// What the version of each of `names` is: the first line of "NAME --version" for compilers and build tools,
// else the file and its size; "" for one that is not there.
[[nodiscard]] std::map<std::string, std::string> tool_versions(os::ProcessRunner& runner,
                                                               const std::vector<std::string>& names);

// Copies the artefacts out of `source` into `target` and hashes them; nullopt-like Error (code usage) for an
// artefact that is missing or leads out of `source`. A directory is an artefact with all its files.
struct Collected {
  std::string id;                             // sha256 over names and bytes
  std::map<std::string, std::string> hashes;  // name -> sha256
};
[[nodiscard]] Result<Collected> collect_artefacts(const std::map<std::string, std::string>& artefacts,
                                                  const os::Path& source, const os::Path& target);

// The text of meta.json.
[[nodiscard]] std::string build_meta(const model::Revision& revision, const BuildInputs& inputs,
                                     const Collected& collected, const model::Build& build);
// The build in `directory`, or nullopt when there is none or its bytes are not what meta.json says.
[[nodiscard]] std::optional<model::Build> load_build(const os::Path& directory);

}  // namespace kilter::project
