#include "robot/doctor.h"

#include "base/text.h"
#include "monitor/registry.h"
#include "suite/install.h"

#include <fmt/core.h>

#include <algorithm>
#include <span>
#include <unistd.h>

namespace kilter::robot {
namespace {

using State = Finding::State;

Finding check_file(const os::Root& root, std::string name, const std::string& path, std::string without) {
  if (!root.exists(path))
    return {"machine", std::move(name), State::limited, fmt::format("no {}", path), std::move(without)};
  if (::access(root.at(path).c_str(), W_OK) != 0)
    return {"machine", std::move(name), State::limited, fmt::format("{} cannot be written", path),
            "run as root"};
  return {"machine", std::move(name), State::ok, "", ""};
}

void examine_machine(const os::Root& root, std::vector<Finding>& findings) {
  findings.push_back(check_file(root, "cpufreq governor",
                                "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
                                "frequencies are the hypervisor's or the firmware's; expect more noise"));
  findings.push_back(check_file(root, "drop caches", "/proc/sys/vm/drop_caches", ""));
  findings.push_back(
      check_file(root, "transparent huge pages", "/sys/kernel/mm/transparent_hugepage/enabled", ""));
  const bool v2 = root.exists("/sys/fs/cgroup/cgroup.controllers");
  const bool v1 = root.exists("/sys/fs/cgroup/memory") || root.exists("/sys/fs/cgroup/pids");
  const bool writable = ::access(root.at("/sys/fs/cgroup").c_str(), W_OK) == 0;
  findings.push_back({"machine", "cgroup", (v1 || v2) && writable ? State::ok : State::limited,
                      v1 || v2 ? (writable ? "" : "not writable") : "not mounted",
                      (v1 || v2) && writable ? "" : "processes are still found by group and descent"});
}

void examine_programs(std::vector<Finding>& findings) {
  struct Needed {
    const char* program;
    const char* purpose;
    const char* remedy;
  };
  constexpr Needed kNeeded[] = {{"git", "projects and revisions", "apt-get install git"},
                                {"bwrap", "builds without network", "apt-get install bubblewrap"},
                                {"ccache", "faster rebuilds", "apt-get install ccache"},
                                {"gcc", "builds", "apt-get install gcc"}};
  for (const Needed& needed : kNeeded) {
    const bool there = os::is_installed(needed.program);
    findings.push_back({"programs", needed.program, there ? State::ok : State::missing,
                        there ? "" : std::string("needed for ") + needed.purpose,
                        there ? "" : needed.remedy});
  }
  const std::string bench = (os::program_directory() / "kilter-bench").string();
  findings.push_back({"programs", "kilter-bench", os::is_installed(bench) ? State::ok : State::missing,
                      os::is_installed(bench) ? "" : "not beside kilter",
                      os::is_installed(bench) ? "" : "copy it there"});
}

Finding unavailable(const monitor::Monitor& entry, const Error& reason) {
  const State state = reason.hint.empty() ? State::absent : State::missing;
  return {"monitors", std::string(entry.name), state, reason.message, reason.hint};
}

void examine_monitors(const os::Root& root, std::vector<Finding>& findings) {
  for (const monitor::Monitor& entry : monitor::monitors()) {
    if (entry.style == monitor::Style::external) {
      findings.push_back(
          {"monitors", std::string(entry.name), State::absent, "kilter does not record it yet", ""});
      continue;
    }
    const Status status = monitor::available(entry, root);
    findings.push_back(status ? Finding{"monitors", std::string(entry.name), State::ok, "", ""}
                              : unavailable(entry, status.error()));
  }
}

Finding examine_engine(const suite::Suite& suite, const suite::Engine& engine,
                       const suite::HostFacts& facts) {
  const std::string name = fmt::format("{} ({})", suite.name, engine.name);
  const Result<suite::InstallPlan> plan = suite::install_plan(suite, facts, engine.name);
  if (!plan) return {"suites", name, State::missing, plan.error().message, plan.error().hint};
  for (const std::string& program : plan->provides)
    if (!os::is_installed(program))
      return {"suites", name, State::missing, fmt::format("{} is not installed", program),
              fmt::format("kilter install jobs/{}.yaml", suite.name)};
  return {"suites", name, State::ok, "", ""};
}

// A suite runs with any one of its engines.
void excuse_missing(std::span<Finding> engines) {
  if (std::ranges::none_of(engines, [](const Finding& engine) { return engine.state == State::ok; })) return;
  for (Finding& engine : engines)
    if (engine.state == State::missing) engine.state = State::optional;
}

void examine_suites(const World& world, const suite::Catalogue& catalogue, const model::Machine& box,
                    std::vector<Finding>& findings) {
  suite::HostFacts facts{.nr_cpu = box.nr_cpu, .memory_kb = box.memory_kb};
  facts.kilter_bench = (os::program_directory() / "kilter-bench").string();
  facts.install_root = (world.home / "tools").string();
  for (const std::string& name : catalogue.names()) {
    const Result<const suite::Suite*> suite = catalogue.get(name);
    if (!suite) {
      findings.push_back({"suites", name, State::missing, suite.error().message, suite.error().hint});
      continue;
    }
    const std::size_t first = findings.size();
    for (const suite::Engine& engine : (*suite)->engines)
      findings.push_back(examine_engine(**suite, engine, facts));
    excuse_missing(std::span(findings).subspan(first));
  }
}

}  // namespace

std::vector<Finding> examine(const World& world, const suite::Catalogue& catalogue,
                             const model::Machine& box) {
  std::vector<Finding> findings;
  examine_machine(world.root, findings);
  examine_programs(findings);
  examine_monitors(world.root, findings);
  examine_suites(world, catalogue, box, findings);
  return findings;
}

}  // namespace kilter::robot
