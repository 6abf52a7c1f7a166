#include "job/filters.h"

#include "base/quantity.h"
#include "base/text.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

namespace kilter::job {
namespace {

using model::Node;

// need_* keys may have become lists by accumulation: every element must hold.
std::vector<std::string> wishes(const Node& job, std::string_view key) {
  const Node* node = job.find(key);
  if (node == nullptr || node->is_null()) return {};
  if (node->is_scalar()) return {node->text()};
  std::vector<std::string> texts;
  for (const Node& item : node->items()) texts.push_back(item.text());
  return texts;
}

std::optional<std::string> lacks_count(const Node& job, std::string_view key, int have,
                                       std::string_view what) {
  if (have == 0) return std::nullopt;
  for (const std::string& wish : wishes(job, key)) {
    const std::optional<std::int64_t> count = parse_int(wish);
    if (count && *count >= 0 && have < *count)
      return fmt::format("{} {}: this machine has {} {}", key, wish, have, what);
    if (count && *count < 0 && have > -*count)
      return fmt::format("{} {}: at most {} {}, this machine has {}", key, wish, -*count, what, have);
  }
  return std::nullopt;
}

std::optional<std::string> lacks_memory(const Node& job, const MachineNumbers& machine) {
  if (machine.memory == 0) return std::nullopt;
  for (const std::string& wish : wishes(job, "need_memory")) {
    const std::optional<std::int64_t> bytes = parse_bytes(wish);
    if (bytes && *bytes > machine.memory)
      return fmt::format("need_memory {}: this machine has {}", wish,
                         format_bytes(static_cast<double>(machine.memory)));
  }
  return std::nullopt;
}

std::optional<std::string> no_tasks(const model::UnitJob& unit, const MachineNumbers& machine) {
  constexpr std::array<std::string_view, 3> kCounts = {"nr_threads", "nr_task", "nr_processes"};
  for (const auto& [key, text] : unit.parameters) {
    if (std::ranges::find(kCounts, key) == kCounts.end()) continue;
    const Mapped mapped = map_parameter(key, text, machine);
    if (mapped.front().second == "0")
      return fmt::format("{} {} is no task at all on {} CPUs", key, text, machine.nr_cpu);
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> reason_to_abandon(const model::UnitJob& unit, const MachineNumbers& machine) {
  if (auto why = lacks_count(unit.body, "need_cpu", machine.nr_cpu, "CPUs")) return why;
  if (auto why = lacks_count(unit.body, "need_node", machine.nr_node, "NUMA nodes")) return why;
  if (auto why = lacks_memory(unit.body, machine)) return why;
  return no_tasks(unit, machine);
}

}  // namespace kilter::job
