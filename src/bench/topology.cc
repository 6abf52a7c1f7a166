#include "bench/topology.h"

#include "base/cpu_list.h"
#include "base/text.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

namespace kilter::bench {
namespace {

// Where a CPU stands. CPUs equal in all three share a core.
struct Position {
  int package = 0;
  int die = 0;
  int core = 0;
  int cpu = 0;
};

std::optional<int> topology_number(const os::Root& root, int cpu, std::string_view file) {
  const Result<std::string> content =
      root.read(fmt::format("/sys/devices/system/cpu/cpu{}/topology/{}", cpu, file));
  if (!content) return std::nullopt;
  const std::optional<std::int64_t> number = parse_int(trim(*content));
  return number ? std::optional(static_cast<int>(*number)) : std::nullopt;
}

// Siblings are named by the list itself; older kernels without it leave package and core number.
int core_of(const os::Root& root, int cpu) {
  const Result<std::string> text =
      root.read(fmt::format("/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list", cpu));
  if (text) {
    const Result<std::vector<int>> siblings = parse_cpu_list(trim(*text));
    if (siblings && std::ranges::find(*siblings, cpu) != siblings->end()) return siblings->front();
  }
  // Core numbers are small; beyond them each CPU of unknown core is its own.
  return topology_number(root, cpu, "core_id").value_or(kMaxCpus + cpu);
}

Position position_of(const os::Root& root, int cpu) {
  return {.package = topology_number(root, cpu, "physical_package_id").value_or(0),
          .die = topology_number(root, cpu, "die_id").value_or(0),
          .core = core_of(root, cpu),
          .cpu = cpu};
}

bool is_online(const os::Root& root, int cpu, const std::optional<std::vector<int>>& online) {
  if (online) return std::ranges::find(*online, cpu) != online->end();
  const Result<std::string> flag = root.read(fmt::format("/sys/devices/system/cpu/cpu{}/online", cpu));
  return !flag || trim(*flag) != "0";
}

std::vector<Position> positions(const os::Root& root, const std::vector<int>& allowed) {
  std::optional<std::vector<int>> online;
  if (const Result<std::string> text = root.read("/sys/devices/system/cpu/online"); text)
    if (const Result<std::vector<int>> list = parse_cpu_list(trim(*text)); list) online = *list;
  std::vector<Position> out;
  for (const int cpu : allowed)
    if (is_online(root, cpu, online)) out.push_back(position_of(root, cpu));
  return out;
}

}  // namespace

std::vector<Place> places(const os::Root& root, const std::vector<int>& allowed, Granularity granularity) {
  const std::vector<Position> all = positions(root, allowed);
  std::map<int, int> package_rank;                              // package -> its lowest CPU
  std::map<std::pair<int, int>, int> die_rank;                  // die -> its lowest CPU
  std::map<std::tuple<int, int, int>, std::vector<int>> cores;  // core -> its CPUs
  const auto lower = [](auto& ranks, const auto& key, int cpu) {
    const auto [entry, added] = ranks.try_emplace(key, cpu);
    if (!added) entry->second = std::min(entry->second, cpu);
  };
  for (const Position& at : all) {
    lower(package_rank, at.package, at.cpu);
    lower(die_rank, std::pair(at.package, at.die), at.cpu);
    cores[{at.package, at.die, at.core}].push_back(at.cpu);
  }
  std::map<std::tuple<int, int, int>, Place> ordered;  // (package, die, core), each by its lowest CPU
  for (auto& [key, cpus] : cores) {
    std::ranges::sort(cpus);
    const auto [package, die, core] = key;
    ordered[{package_rank[package], die_rank[{package, die}], cpus.front()}] = cpus;
  }
  std::vector<Place> out;
  for (const auto& [key, cpus] : ordered) {
    if (granularity == Granularity::core) {
      out.push_back(cpus);
    } else {
      for (const int cpu : cpus) out.push_back({cpu});
    }
  }
  return out;
}

}  // namespace kilter::bench
