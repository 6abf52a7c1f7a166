#pragma once

#include "base/result.h"
#include "model/axes.h"
#include "os/files.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// What there is to import, and what LKP's paths call it.
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
// From the last components of a run directory's path:
// .../<testcase>/<path_params>/<tbox_group>/<rootfs>/<kconfig>/<compiler>/<commit>/<number>. Only where the
// form has its two fixed points, a number at the end and a compiler (gcc.., clang..) before the commit.
[[nodiscard]] std::optional<Identity> identity_of_path(const Path& run);
// Where no axis beyond those of every job tells cells apart, the parameters of the path are one.
void add_path_params(model::Axes& axes, const std::string& path_params);

// The text without control characters, as an axis or a reason may hold it.
[[nodiscard]] std::string plain(std::string_view text);

}  // namespace kilter::store
