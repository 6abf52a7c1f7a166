#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace kilter::model {

// A commit as the mails need it.
struct Commit {
  std::string sha;  // 40 hex
  std::string subject;
  std::string body;
  std::string author_name;
  std::string author_email;
  std::int64_t author_time = 0;  // seconds since 1970
  std::vector<std::string> parents;
  // Reviewed-by, Acked-by, Signed-off-by ... of the body: {"Reviewed-by", "Name <mail>"}.
  std::vector<std::pair<std::string, std::string>> tags;
  std::string branch;  // "master", when known
};

// What a revision is, resolved: a commit, plus patches if any.
struct Revision {
  std::string spec;   // as typed: "HEAD~3", "v1.2+fix.patch"
  std::string label;  // column title: sha, or sha+patch id
  Commit commit;
  std::vector<std::string> patches;  // absolute paths, in order
};

// One build of one revision.
struct Build {
  std::string id;                                // hash of the artefacts' bytes
  std::string key;                               // hash of tree, recipe and tools: the cache key
  std::string directory;                         // where the artefacts are
  std::map<std::string, std::string> artefacts;  // name -> absolute path
  std::string log;                               // path of the build log
  bool from_cache = false;
  double seconds = 0;
};

}  // namespace kilter::model
