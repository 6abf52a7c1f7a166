#pragma once

#include "base/result.h"
#include "model/plan.h"
#include "model/unit_job.h"
#include "suite/expression.h"
#include "suite/suite.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace kilter::suite {

// What a plan needs to know of the machine it is for, and of the programs there.
struct HostFacts {
  int nr_cpu = 1;
  std::int64_t memory_kb = 0;
  std::string kilter_bench;  // path: the word {kilter-bench}
  // Where `kilter install` puts sources: the word {source} is <install_root>/<suite>.
  std::string install_root;
  // More words for templates: artefacts of the project under test by name, "build" for its directory.
  std::map<std::string, std::string> names;
};

// Every value the suite's templates can use: the job's parameters (mapped, else as written, else of the
// body), the suite's defaults and "let" values, and the machine's. Errors: a parameter the suite does not
// have, one outside its choices, a missing one; with the place in the job file where it has one.
[[nodiscard]] Result<Values> job_values(const Suite& suite, const model::UnitJob& job,
                                        const HostFacts& facts);

// The workload of a unit job. The engine is the job's parameter `engine`, else the suite's first that serves
// the parameters. Pure: nothing is looked up on the machine.
[[nodiscard]] Result<model::Workload> plan_workload(const Suite& suite, const model::UnitJob& job,
                                                    const HostFacts& facts);

}  // namespace kilter::suite
