#pragma once

#include "analyse/key_lists.h"
#include "model/report_types.h"

#include <vector>

namespace kilter::analyse {

enum class RowOrder { lkp, headline_first };

// LKP's print order: failure rows first; inside, by the number of rows the key's program has (none for a
// benchmark, so that those come first), by key (perf-profile: by its first two parts), by changes. Ours:
// failures, headlines, benchmarks' metrics with a direction, their other ones, monitors; inside as LKP's.
void sort_rows(std::vector<model::CompareRow>& rows, const Benchmarks& benchmarks = {},
               RowOrder order = RowOrder::lkp);

}  // namespace kilter::analyse
