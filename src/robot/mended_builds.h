#pragma once

#include "base/result.h"
#include "store/store.h"

#include <vector>

namespace kilter::robot {

// Takes out of `runs`, of one commit, those that failed to build before a run of a good build of the same
// commit and project began, whatever that one measured: the sources were not at fault, or they are mended.
[[nodiscard]] Status forget_mended_builds(store::Store& store, std::vector<store::StoredRun>& runs);

}  // namespace kilter::robot
