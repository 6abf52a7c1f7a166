#include "job/map_params.h"

#include "base/quantity.h"
#include "base/text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

namespace kilter::job {
namespace {

using Mapper = std::optional<Mapped> (*)(std::string_view key, std::string_view text,
                                         const MachineNumbers& machine);

Mapped single(std::string_view key, std::string value) {
  return {{std::string(key), std::move(value)}};
}
Mapped single(std::string_view key, std::int64_t value) {
  return single(key, std::to_string(value));
}

std::optional<std::int64_t> part(double percent, double whole) {
  const double value = std::trunc(percent * whole / 100);
  if (!(std::abs(value) < 9e18)) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

// "50%" of the CPUs; "64t" -> 64.
std::optional<Mapped> map_tasks(std::string_view key, std::string_view text, const MachineNumbers& machine) {
  if (const std::optional<double> percent = parse_percent(text)) {
    if (machine.nr_cpu == 0) return std::nullopt;
    const std::optional<std::int64_t> tasks = part(*percent, machine.nr_cpu);
    return tasks ? std::optional(single(key, *tasks)) : std::nullopt;
  }
  const std::string_view digits = leading_digits(text);
  const std::string_view letters = text.substr(digits.size());
  const bool counted = !digits.empty() && !letters.empty() &&
                       std::ranges::all_of(letters, [](char c) { return c >= 'a' && c <= 'z'; });
  return counted ? std::optional(single(key, std::string(digits))) : std::nullopt;
}

std::optional<Mapped> map_seconds(std::string_view key, std::string_view text, const MachineNumbers&) {
  const std::optional<std::int64_t> seconds = parse_lkp_seconds(text);
  return seconds ? std::optional(single(key, *seconds)) : std::nullopt;
}

std::optional<Mapped> map_period(std::string_view key, std::string_view text, const MachineNumbers& machine) {
  const std::string_view unit = text.substr(leading_digits(text).size());
  const bool known = unit.size() == 1 && std::string_view("smhd").contains(unit.front());
  return known && text.size() > 1 ? map_seconds(key, text, machine) : std::nullopt;
}

// "3x" -> 3, "10.0x" -> 10.
std::optional<Mapped> map_iterations(std::string_view key, std::string_view text, const MachineNumbers&) {
  const std::optional<double> count =
      text.ends_with('x') ? parse_double(text.substr(0, text.size() - 1)) : std::nullopt;
  if (!count || !(std::abs(*count) < 9e18)) return std::nullopt;
  return single(key, static_cast<std::int64_t>(*count));
}

std::optional<Mapped> map_bytes(std::string_view key, std::string_view text, const MachineNumbers&) {
  const std::optional<std::int64_t> bytes = parse_bytes(text);
  return bytes ? std::optional(single(key, *bytes)) : std::nullopt;
}

std::optional<Mapped> map_memory(std::string_view key, std::string_view text, const MachineNumbers& machine) {
  const std::optional<double> percent = parse_percent(text);
  if (!percent) return map_bytes(key, text, machine);
  if (machine.memory == 0) return std::nullopt;
  const std::optional<std::int64_t> bytes = part(*percent, static_cast<double>(machine.memory));
  return bytes ? std::optional(single(key, *bytes)) : std::nullopt;
}

// "1HDD" -> nr_hdd, "4BRD_12G" -> nr_brd and ramdisk_size, "SCSI_RAM" -> scsi_ram.
std::optional<Mapped> map_disk(std::string_view, std::string_view text, const MachineNumbers&) {
  constexpr std::array<std::string_view, 5> kKinds = {"HDD", "SSD", "BRD", "SRD", "PMEM"};
  Mapped mapped;
  std::string upper(text);
  std::ranges::transform(upper, upper.begin(), [](char c) { return static_cast<char>(std::toupper(c)); });
  if (upper.contains("SCSI_RAM")) mapped.emplace_back("scsi_ram", "1");
  for (const std::string_view token : split(upper, '_')) {
    const std::string_view digits = leading_digits(token);
    std::string kind(token.substr(digits.size()));
    if (digits.empty()) continue;
    if (std::ranges::find(kKinds, kind) != kKinds.end()) {
      std::ranges::transform(kind, kind.begin(), [](char c) { return static_cast<char>(std::tolower(c)); });
      mapped.emplace_back("nr_" + kind, digits);
    } else if (const std::optional<std::int64_t> bytes = parse_bytes(token)) {
      mapped.emplace_back("ramdisk_size", std::to_string(*bytes));
    }
  }
  return mapped.empty() ? std::nullopt : std::optional(std::move(mapped));
}

std::optional<Mapped> map_md(std::string_view, std::string_view text, const MachineNumbers&) {
  std::string level(text);
  std::ranges::transform(level, level.begin(), [](char c) { return static_cast<char>(std::tolower(c)); });
  return single("raid_level", std::move(level));
}

// "all" of the CPUs or nodes.
std::optional<Mapped> map_cpuset(std::string_view key, std::string_view text, const MachineNumbers& machine) {
  const int count = key == "cpuset.cpus" ? machine.nr_cpu : machine.nr_node;
  if (text != "all" || count == 0) return std::nullopt;
  return single(key, "0-" + std::to_string(count - 1));
}

struct Rule {
  Mapper map;
  std::vector<std::string_view> keys;
};

const std::vector<Rule>& rules() {
  static const std::vector<Rule> all = {
      {map_tasks,
       {"nr_threads", "nr_task", "nr_processes", "nr_instances", "agent_threads", "master_threads",
        "worker_threads", "message_threads"}},
      {map_seconds, {"runtime", "testtime"}},
      {map_period, {"period"}},
      {map_iterations, {"iterations"}},
      {map_bytes, {"size", "unit_size", "ramdisk_size", "eatmem_size"}},
      {map_memory,
       {"test_memory_size", "mapsize", "setsize", "total_setsize", "memcached_memsize", "memory.high",
        "memory.low", "memory.max", "memory.limit_in_bytes", "memory.soft_limit_in_bytes",
        "memory.memsw.limit_in_bytes"}},
      {map_disk, {"disk"}},
      {map_md, {"md"}},
      {map_cpuset, {"cpuset.cpus", "cpuset.mems"}},
  };
  return all;
}

int small_int(const model::Node& job, std::string_view key) {
  const std::int64_t value = parse_int(job.get(key)).value_or(0);
  return value > 0 && value < 1000000 ? static_cast<int>(value) : 0;
}

}  // namespace

MachineNumbers machine_numbers(const model::Node& job) {
  return {small_int(job, "nr_cpu"), small_int(job, "nr_node"), parse_bytes(job.get("memory")).value_or(0)};
}

Mapped map_parameter(std::string_view key, std::string_view text, const MachineNumbers& machine) {
  for (const Rule& rule : rules()) {
    if (std::ranges::find(rule.keys, key) == rule.keys.end()) continue;
    if (std::optional<Mapped> mapped = rule.map(key, text, machine)) return std::move(*mapped);
    break;
  }
  return single(key, std::string(text));
}

Mapped map_parameters(const std::vector<std::pair<std::string, std::string>>& parameters,
                      const MachineNumbers& machine) {
  Mapped all;
  for (const auto& [key, text] : parameters)
    for (auto& mapped : map_parameter(key, text, machine)) all.push_back(std::move(mapped));
  return all;
}

}  // namespace kilter::job
