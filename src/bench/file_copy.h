#pragma once

#include "base/result.h"

#include <ctime>
#include <string>
#include <vector>

// UnixBench's file copy (fsbuffer): a file of `max_blocks` blocks is copied block by block, over and over,
// by a number of processes at once.
namespace kilter::bench {

struct FileCopy {
  int copies = 1;
  double seconds = 30;  // one pass
  int buffer_size = 256;
  int max_blocks = 500;
  int iterations = 1;

  [[nodiscard]] std::string title() const;  // "File Copy 256 bufsize 500 maxblocks"
};

struct FileCopyPass {
  double kilobytes_per_second = 0;  // of all copies together
  double seconds = 0;               // measured, mean of the copies
};

[[nodiscard]] Result<FileCopyPass> run_pass(const FileCopy& what);

// What UnixBench makes of its passes: the slowest third is dropped, the rest is averaged geometrically.
struct FileCopyResult {
  double kilobytes_per_second = 0;
  double seconds = 0;
  int samples = 0;
};
[[nodiscard]] FileCopyResult combine(std::vector<FileCopyPass> passes);

// The lines of UnixBench's Run from "Benchmark Run:" on. Sizes UnixBench has no baseline for get no index.
struct RunTimes {
  std::time_t begin = 0;
  std::time_t end = 0;
};
[[nodiscard]] std::string unixbench_report(const FileCopy& what, const FileCopyResult& result, RunTimes times,
                                           int cpus);

}  // namespace kilter::bench
