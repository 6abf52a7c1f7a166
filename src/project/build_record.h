#pragma once

#include "model/project.h"
#include "project/project.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

// How what was measured came about: build.json of a run directory. It tells all that is needed to build the
// same again elsewhere.
namespace kilter::project {

struct PatchFile {
  std::string name;  // without folders
  std::string text;  // "" when it was too large to keep, or is gone
};

struct BuildRecord {
  std::string project;
  std::string url;  // without a password
  std::string label;
  std::string commit;  // 40 hex
  std::vector<PatchFile> patches;
  std::string tree;  // of git, the patches in it
  std::string key;   // of the cache
  std::string id;    // hash of the artefacts
  std::vector<Argv> steps;
  std::map<std::string, std::string> env;
  std::map<std::string, std::string> artefacts;  // name -> path below the sources
  std::map<std::string, std::string> tools;      // name -> version
  std::map<std::string, std::string> hashes;     // artefact -> sha256
};

// The text of build.json for a finished build, or for one that failed.
[[nodiscard]] std::string build_record_json(const Project& project, const model::Revision& revision,
                                            const model::Build& build);
[[nodiscard]] Result<BuildRecord> parse_build_record(std::string_view json);

// A POSIX shell script that clones (URL=... names another clone), checks out, applies the patches that lie
// beside it, builds in ./src and puts the artefacts into ./artefacts. It needs git and the project's own
// tools.
[[nodiscard]] std::string build_script(const BuildRecord& record);

}  // namespace kilter::project
