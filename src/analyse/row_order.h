#pragma once

#include "analyse/key_lists.h"
#include "model/report_types.h"

#include <vector>

namespace kilter::analyse {

// LKP's print order: failure rows first; inside, by the number of rows the key's program has (none for a
// benchmark, so that those come first), by key (perf-profile: by its first two parts), by changes.
void sort_rows(std::vector<model::CompareRow>& rows, const Benchmarks& benchmarks = {});

}  // namespace kilter::analyse
