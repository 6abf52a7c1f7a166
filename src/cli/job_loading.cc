#include "cli/job_loading.h"

#include <algorithm>
#include <iterator>

namespace kilter::cli {

Result<std::vector<model::UnitJob>> load_unit_jobs(const robot::Lab& lab, const robot::ProjectChoice& choice,
                                                   JobWords words, bool has_command) {
  move_overrides(words);
  const job::ExpandOptions options = robot::expand_options(lab.box, words.overrides);
  std::vector<std::string> given = words.jobs.empty() ? choice.jobs() : words.jobs;
  if (given.empty() && choice.project && !choice.project->benchmark.empty())
    return robot::benchmark_jobs(lab, *choice.project, options);
  if (given.empty() && has_command) given = {"jobs/mytest.yaml"};
  if (given.empty()) return usage_error("run: no job file given", "kilter run jobs/hackbench.yaml");
  const job::FileReader read = robot::job_reader(lab.world.home, lab.box);
  std::vector<model::UnitJob> all;
  for (const std::string& word : given) {
    ASSIGN_OR_RETURN(const std::string path, job_path(words, word, read));
    ASSIGN_OR_RETURN(std::vector<model::UnitJob> unit_jobs,
                     robot::load_jobs(path, lab.world.home, lab.box, options));
    std::ranges::move(unit_jobs, std::back_inserter(all));
  }
  return all;
}

}  // namespace kilter::cli
