#pragma once

#include "base/result.h"
#include "model/axes.h"
#include "os/files.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Private to import: what there is to import, and what it is called.
namespace kilter::store {

using os::Path;

struct Found {
  std::vector<Path> runs;      // directories
  std::vector<Path> matrices;  // files
};
// Walks the tree without following links; too deep or too many entries is an error.
[[nodiscard]] Result<Found> scan_tree(const Path& source);

// What is known of an imported run.
struct Identity {
  model::Axes axes;
  std::string path_params;
};
// From the last components of a run directory's path: .../<testcase>/<path_params>/.../<commit>/<number>.
[[nodiscard]] std::optional<Identity> identity_of_path(const Path& run);
// From job.yaml: testcase and the other axes at its top level, the parameters below `pp`.
[[nodiscard]] Identity identity_of_job(std::string_view yaml);

// The text without control characters, as an axis or a reason may hold it.
[[nodiscard]] std::string plain(std::string_view text);

}  // namespace kilter::store
