#include "robot/plan_check.h"

#include "base/suggest.h"
#include "base/text.h"
#include "job/programs.h"
#include "monitor/registry.h"
#include "robot/setup_steps.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

namespace kilter::robot {
namespace {

using model::Node;

const Node* find_anywhere(const Node& map, std::string_view key) {
  if (const Node* found = map.find(key)) return found;
  for (const Node::Entry& entry : map.entries())
    if (const Node* found = find_anywhere(entry.second, key)) return found;
  return nullptr;
}

std::string prefix(const model::UnitJob& job, const Node* node) {
  const std::string place = node == nullptr ? "" : place_of(job, *node);
  return place.empty() ? "" : place + ": ";
}

// These need a value: without one there is nothing to set up.
bool asks_for_nothing(std::string_view name, const Node* value) {
  constexpr std::array<std::string_view, 10> kWithValue = {
      "disk", "md", "raid_level", "fs", "fs1", "fs2", "iosched", "ioscheduler", "swap", "cpufreq"};
  return value == nullptr || (value->is_null() && std::ranges::find(kWithValue, name) != kWithValue.end());
}

// fio-setup-basic of fio, setup-kbuild of kbuild, an option of the suite: the suite's commands do it.
bool suite_does(std::string_view name, const suite::Suite& suite) {
  return name.starts_with(suite.program + "-setup") || name == "setup-" + suite.name ||
         suite.find_parameter(name) != nullptr;
}

bool has_daemons(const suite::Suite& suite) {
  return std::ranges::any_of(suite.engines,
                             [](const suite::Engine& engine) { return !engine.daemons.empty(); });
}

// Why a program of the job is not in its plan; "" when it is, or is told elsewhere.
std::string idle_program(const std::string& name, const model::UnitJob& job, const suite::Suite& suite) {
  const job::Catalogue& programs = job::Catalogue::builtin();
  if (name == job.program || name == job.testcase || name == job.suite || name == suite.name) return "";
  const job::Program* known = programs.find(name);
  if (known == nullptr && (name.starts_with("setup-") || name.starts_with("setup_")))
    return "kilter has no such set-up: it is not done";
  if (known == nullptr)
    return "no such monitor or program: it is not run" + or_rather(name, programs.names());
  if (known->role == job::Role::test)
    return fmt::format("one test a unit job: {} is measured, this is not run", job.program);
  if (known->role == job::Role::daemon && !has_daemons(suite))
    return "the suite runs no daemon: it is not started";
  return "";
}

// A sysctl is set up by its own step.
bool is_sysctl(const std::string& name, const model::UnitJob& job) {
  const Node* sysctl = job.body.find("sysctl");
  return sysctl != nullptr && sysctl->find(name) != nullptr;
}

// A parameter that labels the results and reaches no command of the suite.
bool is_unused(const std::string& name, const model::UnitJob& job, const suite::Suite& suite) {
  constexpr std::array<std::string_view, 7> kForAll = {"cluster",      "engine",        "cpus",         "cmd",
                                                       "nr_instances", "cpu_node_bind", "mem_node_bind"};
  return suite.find_parameter(name) == nullptr && std::ranges::find(kForAll, name) == kForAll.end() &&
         std::ranges::find(job.programs, name) == job.programs.end() && !is_sysctl(name, job);
}

// A parameter of the suite that the job language does not know for one, at top level: the program would get
// it, and no axis would tell its results apart.
Status check_places(const model::UnitJob& job, const suite::Suite& suite) {
  for (const suite::Parameter& parameter : suite.parameters) {
    const Node* value = job.body.find(parameter.name);
    if (value == nullptr || !value->is_scalar() ||
        std::ranges::find(job.parameters, parameter.name, &std::pair<std::string, std::string>::first) !=
            job.parameters.end())
      continue;
    return usage_error(fmt::format("{}planning {}: '{}' stands outside of its program and would not tell "
                                   "results apart",
                                   prefix(job, value), suite.name, parameter.name),
                       fmt::format("write it below '{}:'", suite.program));
  }
  return {};
}

Status check_interval(const model::UnitJob& job, const std::string& name, const Node& node) {
  const monitor::Monitor* known = monitor::find_monitor(name);
  const Node* value = node.find("interval");
  if (known == nullptr || value == nullptr || !value->is_scalar()) return {};
  const Result<double> interval = monitor::interval_of(*known, {{"interval", value->text()}});
  if (interval) return {};
  return usage_error(fmt::format("{}planning monitor '{}': {}", prefix(job, value), name,
                                 printable(interval.error().message)),
                     "as in interval: 1, 0.5 or 100ms");
}

void check_options(const model::UnitJob& job, const std::string& name, const Node& node,
                   std::vector<std::string>& warnings) {
  const job::Program* program = job::Catalogue::builtin().find(name);
  std::vector<std::string> known = {"interval"};
  if (program != nullptr) known.insert(known.end(), program->options.begin(), program->options.end());
  for (const auto& [key, value] : node.entries())
    if (std::ranges::find(known, key) == known.end())
      warnings.push_back(fmt::format("{}monitor '{}' has no option '{}'{}", prefix(job, &value), name,
                                     printable(key), or_rather(key, known)));
}

}  // namespace

std::vector<model::SkippedSetting> settings_not_done(const model::UnitJob& job, const suite::Suite& suite) {
  std::vector<model::SkippedSetting> skipped;
  for (const std::string& name : job.programs) {
    const job::Program* known = job::Catalogue::builtin().find(name);
    if (known == nullptr || known->role != job::Role::setup || suite_does(name, suite)) continue;
    if (std::ranges::find(setup_keys(), name, &SetupKey::name) != setup_keys().end()) continue;
    if (asks_for_nothing(name, find_anywhere(job.body, name))) continue;
    skipped.push_back({name, "kilter has no such set-up, the machine is measured as it is"});
  }
  for (const auto& [name, text] : job.parameters)
    if (is_unused(name, job, suite))
      skipped.push_back({name, fmt::format("the suite {} has no such parameter", suite.name)});
  return skipped;
}

Result<std::vector<std::string>> plan_warnings(const model::UnitJob& job, const suite::Suite& suite) {
  TRY(check_places(job, suite));
  std::vector<std::string> warnings;
  for (const std::string& name : job.programs)
    if (const std::string why = idle_program(name, job, suite); !why.empty())
      warnings.push_back(
          fmt::format("{}'{}': {}", prefix(job, find_anywhere(job.body, name)), printable(name), why));
  for (const auto& [name, node] : job.monitors) {
    TRY(check_interval(job, name, node));
    check_options(job, name, node, warnings);
  }
  return warnings;
}

}  // namespace kilter::robot
