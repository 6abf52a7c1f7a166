#pragma once

#include "base/result.h"
#include "suite/workload.h"

#include <map>
#include <string>
#include <vector>

namespace kilter::suite {

struct InstallStep {
  std::vector<std::string> argv;
  std::map<std::string, std::string> env;
  std::string cwd;     // empty: anywhere
  bool fetch = false;  // makes the source directory: skipped when that is there
};

// What makes a suite's engine ready to run. Data only: nothing is done here.
struct InstallPlan {
  std::string suite;
  std::string engine;
  std::vector<std::string> packages;  // Debian's names, for apt-get install
  std::string source;                 // the source directory; empty: none is needed
  std::string url;                    // what is cloned into it
  std::vector<InstallStep> steps;     // fetch, then build; in order
  std::vector<std::string> provides;  // programs of PATH, or absolute paths, that are there afterwards
};

// `engine` may be empty: the suite's default. `url_override` may be empty; else it is cloned instead
// ("file:///...").
[[nodiscard]] Result<InstallPlan> install_plan(const Suite& suite, const HostFacts& facts,
                                               const std::string& engine = {},
                                               const std::string& url_override = {});

}  // namespace kilter::suite
