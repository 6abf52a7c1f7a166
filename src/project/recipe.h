#pragma once

#include "base/result.h"

#include <map>
#include <string>
#include <vector>

// How a project is built: a template, or steps of its own.
namespace kilter::project {

using Argv = std::vector<std::string>;

inline void append(Argv& argv, const std::vector<std::string>& words) {
  argv.insert(argv.end(), words.begin(), words.end());
}

struct Recipe {
  std::string template_name;         // "cmake"; empty when `steps` are given
  std::vector<std::string> args;     // of the template: for its configure step (or its only one)
  std::vector<std::string> targets;  // of the template; empty: its default
  std::vector<Argv> steps;           // run one after the other in the source tree; "{jobs}" is filled in late
  std::map<std::string, std::string> env;
  double timeout = 1800;  // seconds, for all steps together
  bool network = false;   // builds have none unless the project file says so
  bool sandbox = true;    // false: never in bubblewrap
};

// The names of the templates, for checks and messages.
[[nodiscard]] std::vector<std::string> template_names();
// The commands, "{jobs}" still in them. Usage error: an unknown template, or nothing to do.
[[nodiscard]] Result<std::vector<Argv>> build_steps(const Recipe& recipe);
// `step` with "{jobs}" replaced.
[[nodiscard]] Argv with_jobs(Argv step, int jobs);
// Programs whose versions decide what comes out: those of the template, CC and CXX of env, and each step's.
[[nodiscard]] std::vector<std::string> recipe_tools(const Recipe& recipe);

}  // namespace kilter::project
