#include "execute/set_up.h"

#include "base/text.h"
#include "execute/sysfs.h"

#include <fmt/core.h>

namespace kilter::execute {
namespace {

constexpr double kStepSeconds = 120;  // limit of one command
constexpr std::string_view kDropCaches = "/proc/sys/vm/drop_caches";

// "4096\t131072" and "4096 131072" are the same sysctl.
bool same_value(std::string_view a, std::string_view b) {
  return words(a) == words(b);
}

struct World {
  Journal& journal;
  os::ProcessRunner& runner;
  const os::Root& root;
};

Result<StepResult> write_one(const model::Step& step, const std::string& path, World& world) {
  StepResult result{.name = step.name, .after = step.value};
  ASSIGN_OR_RETURN(const std::string text, world.root.read(path));
  result.before = settable_value(text);
  if (same_value(result.before, step.value)) return result;
  if (!os::is_writable(world.root.at(path))) return failure(fmt::format("no right to write '{}'", path));
  TRY(world.journal.add(
      {.kind = Undo::Kind::write, .name = step.name, .path = path, .value = result.before}));
  TRY(os::write_into(world.root.at(path), step.value));
  return result;
}

Result<StepResult> write_step(const model::Step& step, World& world) {
  const std::vector<std::string> paths = world.root.expand(step.path);
  if (paths.empty()) return failure(fmt::format("this machine has no '{}'", step.path));
  StepResult result;
  for (const std::string& path : paths) {
    ASSIGN_OR_RETURN(result, write_one(step, path, world));
  }
  return result;
}

Result<StepResult> run_step(const model::Step& step, World& world) {
  if (!step.undo.empty())
    TRY(world.journal.add({.kind = Undo::Kind::run, .name = step.name, .argv = step.undo}));
  const os::Command command{.argv = step.argv, .cwd = "/", .timeout = kStepSeconds};
  const Result<std::string> done = run_checked(world.runner, command);
  if (!done) return fail(done.error());
  return StepResult{.name = step.name};
}

Result<StepResult> drop_caches(const model::Step& step, World& world) {
  if (!os::is_writable(world.root.at(kDropCaches)))
    return failure(fmt::format("no right to write '{}'", kDropCaches));
  os::sync_disks();
  TRY(os::write_into(world.root.at(kDropCaches), step.value.empty() ? "3" : step.value));
  return StepResult{.name = step.name};
}

Result<StepResult> apply(const model::Step& step, World& world) {
  switch (step.kind) {
    case model::Step::Kind::write:
      return write_step(step, world);
    case model::Step::Kind::run:
      return run_step(step, world);
    case model::Step::Kind::drop_caches:
      return drop_caches(step, world);
  }
  return failure("unknown kind of step");
}

}  // namespace

Result<std::vector<StepResult>> set_up(const std::vector<model::Step>& steps, Journal& journal,
                                       os::ProcessRunner& runner, const os::Root& root) {
  World world{journal, runner, root};
  std::vector<StepResult> results;
  for (const model::Step& step : steps) {
    Result<StepResult> result = apply(step, world);
    if (!result && result.error().code == ErrorCode::interrupted) return fail(result.error());
    if (!result && step.required) return fail(result.error().in(fmt::format("set-up step '{}'", step.name)));
    if (!result) result = StepResult{.name = step.name, .skipped = result.error().message};
    results.push_back(std::move(*result));
  }
  return results;
}

}  // namespace kilter::execute
