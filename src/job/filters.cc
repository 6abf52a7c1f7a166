#include "job/filters.h"

#include "base/quantity.h"
#include "base/text.h"
#include "job/need_kernel.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>

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

std::optional<std::string> wrong_kernel(const Node& job, const MachineFacts& machine) {
  for (const std::string& wish : wishes(job, "need_kernel_version"))
    for (const std::string_view part : split(wish, ','))
      if (!version_fits(machine.kernel, part).value_or(true))
        return fmt::format("need_kernel_version {}: this kernel is {}", trim(part), machine.kernel);
  return std::nullopt;
}

// "AVX512-VNNI" and "avx512_vnni" are the same flag.
std::string plain(std::string_view text) {
  std::string all;
  for (const char c : text)
    all += c == '-' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return all;
}

std::optional<std::string> lacks_flag(const Node& job, const MachineFacts& machine) {
  if (machine.cpu_flags.empty()) return std::nullopt;
  for (const std::string& wish : wishes(job, "need_cpuid"))
    for (const std::string_view flag : words(wish))
      if (std::ranges::none_of(machine.cpu_flags,
                               [&](const std::string& have) { return plain(have) == plain(flag); }))
        return fmt::format("need_cpuid {}: this CPU has no such flag", flag);
  return std::nullopt;
}

std::optional<std::string> other_model(const Node& job, const MachineFacts& machine) {
  const std::vector<std::string> models = wishes(job, "need_cpu_model");
  if (machine.cpu_model.empty() || models.empty()) return std::nullopt;
  const bool fits = std::ranges::any_of(
      models, [&](const std::string& model) { return plain(machine.cpu_model).contains(plain(model)); });
  if (fits) return std::nullopt;
  return fmt::format("need_cpu_model {}: this is a {}", join(models, ", "), machine.cpu_model);
}

std::optional<std::string> lacks_kconfig(const Node& job, const MachineFacts& machine) {
  if (!machine.kconfig) return std::nullopt;
  for (const KconfigWish& wish : kconfig_wishes(job))
    if (!kconfig_fits(*machine.kconfig, wish))
      return fmt::format("need_kconfig {}{}: this kernel has it not", wish.name,
                         wish.value.empty() ? "" : "=" + wish.value);
  return std::nullopt;
}

bool wants_real_machine(const Node& job) {
  const std::string wish = job.get("need_physical_tbox");
  return wish == "1" || wish == "true";
}

}  // namespace

std::optional<std::string> reason_to_abandon(const model::UnitJob& unit, const MachineFacts& machine) {
  const MachineNumbers& numbers = machine.numbers;
  if (auto why = lacks_count(unit.body, "need_cpu", numbers.nr_cpu, "CPUs")) return why;
  if (auto why = lacks_count(unit.body, "need_node", numbers.nr_node, "NUMA nodes")) return why;
  if (auto why = lacks_memory(unit.body, numbers)) return why;
  using Check = std::optional<std::string> (*)(const Node& job, const MachineFacts& machine);
  for (const Check check : {wrong_kernel, lacks_flag, other_model, lacks_kconfig})
    if (auto why = check(unit.body, machine)) return why;
  if (machine.is_virtual && wants_real_machine(unit.body))
    return "need_physical_tbox: this is a virtual machine";
  return no_tasks(unit, numbers);
}

std::vector<std::string> unchecked_needs(const model::UnitJob& unit, const MachineFacts& machine) {
  std::vector<std::string> unchecked;
  if (!machine.kconfig && !kconfig_wishes(unit.body).empty())
    unchecked.push_back("need_kconfig is not checked: this machine tells no kernel configuration");
  for (const std::string& wish : wishes(unit.body, "need_kernel_version"))
    for (const std::string_view part : split(wish, ','))
      if (!version_fits(machine.kernel, part))
        unchecked.push_back(fmt::format("need_kernel_version '{}' is not understood", printable(part)));
  if (machine.cpu_flags.empty() && !wishes(unit.body, "need_cpuid").empty())
    unchecked.push_back("need_cpuid is not checked: this machine tells no CPU flags");
  if (machine.cpu_model.empty() && !wishes(unit.body, "need_cpu_model").empty())
    unchecked.push_back("need_cpu_model is not checked: this machine tells no CPU model");
  return unchecked;
}

}  // namespace kilter::job
