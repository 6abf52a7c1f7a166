#pragma once

#include "base/result.h"
#include "model/series.h"

#include <string_view>

// A parser's "key: value" lines -> the series of one run, the content of `<monitor>.json`.
namespace kilter::analyse {

struct DumpOptions {
  // LKP's reading to the letter: "1e3" is 1, a record begins where the longest series grows, a series that is
  // zero throughout is dropped, an unequal end is cut whatever the cause. Otherwise numbers are read as
  // written, `time` begins a record where there is one, only wide tables lose their zero series, and only a
  // recording that was cut off loses its last record.
  bool as_lkp = false;
};

// `monitor` is the stem of the file, "vmstat" or "stress-ng.time". A key that is missing from a record is
// filled with integer 0 (Series::gaps tells where). Values that are no number, or out of the range that is
// physically possible, are left out with their record. An error when a key contains blanks: such text is not
// a parser's output.
[[nodiscard]] Result<model::SeriesFile> dump_stat(std::string_view monitor, std::string_view lines,
                                                  const DumpOptions& options = {});

}  // namespace kilter::analyse
