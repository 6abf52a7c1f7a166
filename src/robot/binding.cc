#include "robot/binding.h"

#include "base/cpu_list.h"
#include "base/text.h"

#include <fmt/core.h>

#include <algorithm>

namespace kilter::robot {
namespace {

constexpr std::string_view kNodes = "/sys/devices/system/node";
constexpr std::int64_t kMostInstances = 100000;

// As a program gets it: nr_instances is mapped ("50%" of the CPUs).
std::string setting(const model::UnitJob& job, std::string_view key) {
  for (const auto* pairs : {&job.mapped, &job.parameters})
    for (const auto& [name, text] : *pairs)
      if (name == key) return text;
  return job.body.get(key);
}

tl::unexpected<Error> refused(const model::UnitJob& job, std::string_view key, const std::string& why,
                              std::string hint) {
  const model::Node* node = job.body.find(key);
  const std::string place = node == nullptr ? "" : place_of(job, *node);
  return usage_error(fmt::format("{}{}planning '{}: {}': {}", place, place.empty() ? "" : ": ", key,
                                 printable(setting(job, key)), why),
                     std::move(hint));
}

std::vector<int> list_in(const os::Root& root, const std::string& path) {
  const Result<std::string> text = root.read(path);
  const Result<std::vector<int>> list = text ? parse_cpu_list(trim(*text)) : std::vector<int>();
  return list ? *list : std::vector<int>();
}

std::string list_text(const os::Root& root, const std::string& path) {
  return std::string(trim(root.read(path).value_or("")));
}

// Numbers of a list, all of which must be among `present`; when the machine does not tell (empty), all are.
Result<std::vector<int>> numbers_in(const model::UnitJob& job, std::string_view key, std::string_view what,
                                    const std::vector<int>& present, const std::string& present_text) {
  const std::string text = setting(job, key);
  if (text == "all") return present;
  Result<std::vector<int>> numbers = parse_cpu_list(trim(text));
  if (!numbers) return refused(job, key, numbers.error().message, fmt::format("as in {}: 0-3,8", key));
  for (const int number : *numbers)
    if (!present.empty() && std::ranges::find(present, number) == present.end())
      return refused(job, key, fmt::format("{} {} does not exist here", what, number),
                     fmt::format("there are {}", present_text));
  return numbers;
}

Result<std::vector<int>> bound_cpus(const model::UnitJob& job, const os::Root& root) {
  if (setting(job, "cpus").empty()) return std::vector<int>();
  const std::string online = "/sys/devices/system/cpu/online";
  return numbers_in(job, "cpus", "CPU", list_in(root, online), list_text(root, online));
}

// A machine without NUMA has the node 0.
Result<std::vector<int>> bound_nodes(const model::UnitJob& job, std::string_view key, const os::Root& root) {
  if (setting(job, key).empty()) return std::vector<int>();
  const std::string online = fmt::format("{}/online", kNodes);
  const std::vector<int> nodes = list_in(root, online);
  return numbers_in(job, key, "NUMA node", nodes.empty() ? std::vector<int>{0} : nodes,
                    nodes.empty() ? "0" : list_text(root, online));
}

std::vector<int> cpus_of_nodes(const std::vector<int>& nodes, const os::Root& root) {
  std::vector<int> cpus;
  for (const int node : nodes)
    for (const int cpu : list_in(root, fmt::format("{}/node{}/cpulist", kNodes, node))) cpus.push_back(cpu);
  std::ranges::sort(cpus);
  return cpus;
}

Result<int> instances_of(const model::UnitJob& job) {
  const std::string text = setting(job, "nr_instances");
  if (text.empty()) return 1;
  const std::optional<std::int64_t> count = parse_int(text);
  if (!count || *count < 1 || *count > kMostInstances)
    return refused(job, "nr_instances", "no number of copies from 1",
                   "as in nr_instances: 2, or 50% of the CPUs");
  return static_cast<int>(*count);
}

}  // namespace

Result<Binding> workload_binding(const model::UnitJob& job, const os::Root& root) {
  Binding binding;
  ASSIGN_OR_RETURN(binding.cpus, bound_cpus(job, root));
  ASSIGN_OR_RETURN(const std::vector<int> nodes, bound_nodes(job, "cpu_node_bind", root));
  ASSIGN_OR_RETURN(binding.mem_nodes, bound_nodes(job, "mem_node_bind", root));
  ASSIGN_OR_RETURN(binding.instances, instances_of(job));
  const std::vector<int> of_nodes = cpus_of_nodes(nodes, root);
  if (binding.cpus.empty()) {
    binding.cpus = of_nodes;
  } else if (!of_nodes.empty()) {
    std::erase_if(binding.cpus, [&](int cpu) { return std::ranges::find(of_nodes, cpu) == of_nodes.end(); });
    if (binding.cpus.empty())
      return refused(job, "cpus", "none of these CPUs is on the nodes of cpu_node_bind", "");
  }
  return binding;
}

void bind_workload(model::Workload& workload, const Binding& binding) {
  for (std::vector<model::PlannedCommand>* commands : {&workload.daemons, &workload.body})
    for (model::PlannedCommand& command : *commands) {
      if (command.cpus.empty()) command.cpus = binding.cpus;
      command.mem_nodes = binding.mem_nodes;
    }
  for (model::PlannedCommand& command : workload.body) command.copies *= binding.instances;
}

std::vector<int> left_over_cpus(const model::Workload& workload, std::vector<int> cpus) {
  const auto leave_out = [&cpus](const model::PlannedCommand& command) {
    if (command.cpus.empty()) cpus.clear();
    std::erase_if(cpus, [&](int cpu) { return std::ranges::find(command.cpus, cpu) != command.cpus.end(); });
  };
  std::ranges::for_each(workload.daemons, leave_out);
  std::ranges::for_each(workload.body, leave_out);
  return cpus;
}

}  // namespace kilter::robot
