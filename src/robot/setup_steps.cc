#include "robot/setup_steps.h"

#include "base/text.h"

#include <fmt/core.h>

#include <algorithm>

namespace kilter::robot {
namespace {

using model::Node;
using model::Step;

constexpr std::string_view kCpus = "/sys/devices/system/cpu";
constexpr std::string_view kThp = "/sys/kernel/mm/transparent_hugepage";

Step write_step(std::string name, std::string path, std::string value) {
  return {
      .name = std::move(name), .kind = Step::Kind::write, .path = std::move(path), .value = std::move(value)};
}

bool is_cpu(std::string_view name) {
  return name.starts_with("cpu") && parse_int(name.substr(3)).has_value();
}

std::vector<Step> governor(const Node& value, const os::Root& root) {
  std::vector<Step> steps;
  for (const std::string& cpu : root.list(kCpus)) {
    const std::string path = fmt::format("{}/{}/cpufreq/scaling_governor", kCpus, cpu);
    if (is_cpu(cpu) && root.exists(path)) steps.push_back(write_step("cpufreq_governor", path, value.text()));
  }
  // Without cpufreq the step stays in the plan, so that its skipping is told.
  if (steps.empty())
    steps.push_back(
        write_step("cpufreq_governor", fmt::format("{}/cpu0/cpufreq/scaling_governor", kCpus), value.text()));
  return steps;
}

// Job files are YAML: a plain off arrives as "false", on as "true".
bool is_off(const Node& value) {
  return value.text() == "0" || value.text() == "off" || value.text() == "false";
}
bool is_on(const Node& value) {
  return value.text() == "on" || value.text() == "true";
}

std::vector<Step> turbo(const Node& value, const os::Root& root) {
  const bool off = is_off(value);
  const std::string intel = fmt::format("{}/intel_pstate/no_turbo", kCpus);
  if (root.exists(intel)) return {write_step("turbo", intel, off ? "1" : "0")};
  return {write_step("turbo", fmt::format("{}/cpufreq/boost", kCpus), off ? "0" : "1")};
}

std::vector<Step> aslr(const Node& value, const os::Root&) {
  const bool off = is_off(value);
  return {write_step("aslr", "/proc/sys/kernel/randomize_va_space",
                     off            ? "0"
                     : is_on(value) ? "2"
                                    : value.text())};
}

std::vector<Step> thp(const Node& value, const os::Root&) {
  return {write_step("thp_enabled", fmt::format("{}/enabled", kThp), value.text())};
}

std::vector<Step> thp_defrag(const Node& value, const os::Root&) {
  return {write_step("thp_defrag", fmt::format("{}/defrag", kThp), value.text())};
}

std::vector<Step> drop_caches(const Node& value, const os::Root&) {
  const std::string what = value.text().empty() || value.text() == "true" ? "3" : value.text();
  return {{.name = "drop_caches",
           .kind = Step::Kind::drop_caches,
           .path = "/proc/sys/vm/drop_caches",
           .value = what}};
}

std::vector<Step> sysctl(const Node& value, const os::Root&) {
  std::vector<Step> steps;
  for (const auto& [key, setting] : value.entries())
    steps.push_back(write_step("sysctl " + key, "/proc/sys/" + replace_all(key, ".", "/"), setting.text()));
  return steps;
}

std::vector<Step> autogroup(const Node& value, const os::Root&) {
  return {write_step("sched_autogroup", "/proc/sys/kernel/sched_autogroup_enabled", value.text())};
}

}  // namespace

const std::vector<SetupKey>& setup_keys() {
  static const std::vector<SetupKey> keys = {
      {"cpufreq_governor", "frequency governor of every CPU", governor},
      {"turbo", "0/off or 1/on: turbo frequencies", turbo},
      {"aslr", "0/off, 1 or 2/on: address space randomisation", aslr},
      {"thp_enabled", "transparent huge pages: always, madvise, never", thp},
      {"thp_defrag", "huge page defragmentation mode", thp_defrag},
      {"drop_caches", "1, 2 or 3: drop page cache, dentries, both before the run", drop_caches},
      {"sysctl", "map of sysctl names and values", sysctl},
      {"sched_autogroup", "0 or 1: scheduler autogroups", autogroup},
  };
  return keys;
}

std::vector<Step> setup_steps(const model::UnitJob& job, const os::Root& root) {
  std::vector<Step> steps;
  for (const auto& [key, value] : job.body.entries()) {
    const auto found = std::ranges::find(setup_keys(), key, &SetupKey::name);
    if (found == setup_keys().end() || value.is_null()) continue;
    for (Step& step : found->steps(value, root)) steps.push_back(std::move(step));
  }
  return steps;
}

}  // namespace kilter::robot
