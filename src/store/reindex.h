#pragma once

#include "store/store.h"

#include <cstddef>
#include <string>
#include <vector>

namespace kilter::store {

struct IndexReport {
  std::size_t runs = 0;              // taken in
  std::vector<std::string> skipped;  // "reading '...': cause", one per run directory that could not be read
  std::vector<std::string> notes;    // what else was lost: the campaigns of a database that cannot be read
};

// Builds <home>/kilter.db anew from results/: into a file beside it, renamed into place at the end, so that
// the old one serves until then and survives a failure. Runs that other kilters finish meanwhile are taken in
// too.
[[nodiscard]] Result<IndexReport> reindex(const Path& home, const Progress& progress = {});
// Takes in the runs of results/ that the database does not know: after a crash between a run and its entry.
[[nodiscard]] Result<IndexReport> catch_up(const Path& home, Store& store, const Progress& progress = {});

}  // namespace kilter::store
