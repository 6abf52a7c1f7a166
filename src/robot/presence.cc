#include "robot/presence.h"

#include "base/text.h"
#include "os/files.h"
#include "os/process.h"

#include <fmt/core.h>

#include <utility>

namespace kilter::robot {
namespace {

// "<build of v1>/bench" stands for what is not built yet.
bool is_yet_to_come(const std::string& path) {
  return path.starts_with('<');
}

bool has_directory(const model::PlannedCommand& command) {
  return command.cwd.empty() || is_yet_to_come(command.cwd) || os::is_directory(command.cwd);
}

// A path with a slash that is not absolute is below the working directory, where a command before it may
// make it.
bool has_program(const model::PlannedCommand& command, bool first) {
  const std::string& program = command.argv.front();
  if (is_yet_to_come(program) || command.env.contains("PATH")) return true;
  if (!program.contains('/') || program.starts_with('/')) return os::is_installed(program);
  const bool known = first && command.cwd.starts_with('/');
  return !known || os::is_there(os::Path(command.cwd) / program);
}

std::string no_program(const model::PlannedCommand& command) {
  const std::string& program = command.argv.front();
  const bool relative = program.contains('/') && !program.starts_with('/');
  return fmt::format("no program '{}'{}", program, relative ? fmt::format(" in '{}'", command.cwd) : "");
}

bool is_installable(const suite::Suite& suite, const std::string& engine) {
  const suite::Engine* found = suite.find_engine(engine);
  return found != nullptr && (!found->install.packages.empty() || !found->install.url.empty() ||
                              !found->install.provides.empty());
}

tl::unexpected<Error> missing(const model::UnitJob& job, const PlannedRun& run, const std::string& what) {
  if (!is_installable(*run.suite, run.plan.workload.engine))
    return failure(fmt::format("planning {}: {}", printable(job.name), printable(what)));
  return failure(
      fmt::format("{} is not installed here: {}", run.suite->name, printable(what)),
      fmt::format("kilter install {}", job.file.empty() ? run.suite->name : shell_quote(job.file)));
}

}  // namespace

Status check_presence(const model::UnitJob& job, const PlannedRun& run) {
  bool first = true;
  for (const auto* commands : {&run.plan.workload.daemons, &run.plan.workload.body})
    for (const model::PlannedCommand& command : *commands) {
      const bool nothing_before = std::exchange(first, false);
      if (command.argv.empty() || command.may_fail) continue;
      if (!has_directory(command)) return missing(job, run, fmt::format("no directory '{}'", command.cwd));
      if (!has_program(command, nothing_before)) return missing(job, run, no_program(command));
    }
  return {};
}

}  // namespace kilter::robot
