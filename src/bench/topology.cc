#include "bench/topology.h"

#include "base/text.h"

#include <fmt/core.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <optional>
#include <tuple>
#include <unistd.h>

namespace kilter::bench {
namespace {

constexpr int kMaxCpus = 8192;
constexpr int kBitsPerWord = 64;

struct Mask {
  unsigned long words[kMaxCpus / kBitsPerWord] = {};
};

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

Result<std::vector<int>> parse_cpu_list(std::string_view text) {
  std::vector<int> cpus;
  for (const std::string_view part : split(text, ',')) {
    const std::vector<std::string_view> ends = split(part, '-');
    const std::optional<std::int64_t> first = parse_int(ends.front());
    const std::optional<std::int64_t> last = parse_int(ends.back());
    if (ends.size() > 2 || !first || !last || *first < 0 || *last < *first || *last >= kMaxCpus)
      return failure(fmt::format("reading the CPU list '{}': '{}' is no CPU or range", printable(text),
                                 printable(part)));
    for (std::int64_t cpu = *first; cpu <= *last; ++cpu) cpus.push_back(static_cast<int>(cpu));
  }
  std::ranges::sort(cpus);
  return cpus;
}

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

Result<std::vector<int>> allowed_cpus() {
  Mask mask;
  // The raw call: glibc's cpu_set_t ends at 1024 CPUs.
  if (::syscall(SYS_sched_getaffinity, 0, sizeof mask, &mask) < 0)
    return failure("reading the affinity mask: " + os::errno_text(errno));
  std::vector<int> cpus;
  for (int cpu = 0; cpu < kMaxCpus; ++cpu)
    if ((mask.words[cpu / kBitsPerWord] >> (cpu % kBitsPerWord) & 1UL) != 0) cpus.push_back(cpu);
  return cpus;
}

Status bind_to(const std::vector<int>& cpus) {
  Mask mask;
  for (const int cpu : cpus)
    if (cpu >= 0 && cpu < kMaxCpus) mask.words[cpu / kBitsPerWord] |= 1UL << (cpu % kBitsPerWord);
  if (::syscall(SYS_sched_setaffinity, 0, sizeof mask, &mask) < 0)
    return failure(
        fmt::format("binding to CPU {}: {}", cpus.empty() ? -1 : cpus.front(), os::errno_text(errno)));
  return {};
}

}  // namespace kilter::bench
