#pragma once

#include "robot/lab.h"

#include <set>
#include <string>
#include <vector>

// What the words after `kilter run` and `kilter split-job` mean.
namespace kilter::cli {

struct JobWords {
  std::vector<std::string> jobs;             // words; files, or names of built-in jobs: "hackbench"
  std::vector<std::string> overrides;        // of -s; KEY=VALUE words join them
  std::vector<std::string> revisions;        // of --rev
  const suite::Catalogue* suites = nullptr;  // whose names are no jobs; null: unknown
};

// Moves words of the form KEY=VALUE that are no files to the overrides.
void move_overrides(JobWords& words);
// The axes commit, kconfig, compiler and rootfs, as far as an override sets them: a job file's own are those
// of who wrote it.
[[nodiscard]] std::set<std::string> told_axes(const JobWords& words);
// The path of the job that `word` names: itself, or jobs/<word>.yaml where only that is there. Errors: a
// project file, and what is no file, with a hint at the likely slip ("-s nr_threads: 50%", "--rev v1 v2") or,
// for the name of a suite, with a job for it.
[[nodiscard]] Result<std::string> job_path(const JobWords& words, const std::string& word,
                                           const job::FileReader& read);

}  // namespace kilter::cli
