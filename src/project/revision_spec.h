#pragma once

#include "base/result.h"
#include "os/files.h"

#include <string>
#include <string_view>
#include <vector>

// What people type for a revision: "v1.2", "HEAD~3", "a1b2c3d", "main+fix.patch+more.patch".
namespace kilter::project {

struct RevisionSpec {
  std::string revision;
  std::vector<std::string> patches;  // as typed
};

// All ways to read `spec`, the longest revision first: a tag may have a plus sign in its name ("v1+rc1").
[[nodiscard]] std::vector<RevisionSpec> readings(std::string_view spec);
// Usage error for a revision that git could take for an option, a range, a path or a refspec.
[[nodiscard]] Status check_revision(std::string_view revision);

}  // namespace kilter::project
