#pragma once

#include "store/store.h"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace kilter::store {

// What the files beside LKP's numbers (job.yaml, desc.yaml) say of them.
struct Described {
  model::Axes axes;         // empty: nothing
  std::string path_params;  // "" unknown
};

struct ImportOptions {
  // Of a run directory, or of the directory of a matrix.json; not set, or no answer: the path alone tells.
  std::function<Described(const Path& directory)> describe;
  model::Axes axes;              // these win over what the files and paths say
  bool missing_is_zero = false;  // short rows of a matrix.json are filled with 0, as LKP reads them
  bool skip_bad = false;         // leave out runs that cannot be read, instead of importing nothing
  Progress progress;
};

struct ImportReport {
  std::size_t runs = 0;              // taken in
  std::size_t already = 0;           // were here from an earlier import of the same place
  std::size_t files_left = 0;        // too large, too many or no regular files; not copied
  std::vector<std::string> skipped;  // what could not be read, with skip_bad
};

// Takes in what lies at or below `source`: run directories of another kilter (outcome.json) or of LKP
// (stats.json), and matrix.json[.gz] files with no runs below them, a run per column. Each becomes a run
// directory of `home` and an entry of `store`. What a run is comes from `describe`, else from LKP's path
// scheme (of stats_source for a matrix). The input is not trusted: links are not followed, sizes and counts
// are bounded, names are made safe. When anything cannot be read, nothing is imported and the error names it.
[[nodiscard]] Result<ImportReport> import_tree(const Path& source, const Path& home, Store& store,
                                               const ImportOptions& options);

}  // namespace kilter::store
