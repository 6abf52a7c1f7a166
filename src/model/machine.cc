#include "model/machine.h"

#include "base/hash.h"
#include "model/json.h"

#include <fmt/core.h>

#include <algorithm>

namespace kilter::model {
namespace {

constexpr std::int64_t kKbPerGb = std::int64_t{1024} * 1024;

std::string join_mitigations(const std::map<std::string, std::string>& mitigations) {
  std::string text;
  for (const auto& [name, value] : mitigations) text += name + "=" + value + ";";
  return text;
}

}  // namespace

std::map<std::string, std::string> Machine::fingerprint() const {
  return {{"cpu_model", cpu_model},
          {"microcode", microcode},
          {"governor", governor},
          {"smt", smt ? "on" : "off"},
          {"nr_cpu", std::to_string(nr_cpu)},
          {"nr_node", std::to_string(nr_node)},
          {"memory", memory_text()},
          {"kernel", kernel},
          {"cmdline", cmdline},
          {"mitigations", join_mitigations(mitigations)},
          {"hypervisor", hypervisor}};
}

std::string Machine::fingerprint_id() const {
  std::string text;
  for (const auto& [name, value] : fingerprint()) text += name + "=" + value + "\n";
  return hash_hex(text);
}

std::string Machine::memory_text() const {
  constexpr std::int64_t kParts = 16;  // of a power of two
  if (memory_kb < kKbPerGb) {
    constexpr std::int64_t kGranule = kKbPerGb / kParts;
    return fmt::format("{}M", (memory_kb + kGranule - 1) / kGranule * kGranule / 1024);
  }
  std::int64_t power = kKbPerGb;
  while (power * 2 <= memory_kb) power *= 2;
  const std::int64_t granule = std::max(kKbPerGb, power / kParts);
  return fmt::format("{}G", (memory_kb + granule - 1) / granule * granule / kKbPerGb);
}

std::string Machine::description() const {
  std::string text = fmt::format("{} thread{} {} socket{}", nr_cpu, nr_cpu == 1 ? "" : "s", nr_socket,
                                 nr_socket == 1 ? "" : "s");
  if (!cpu_model.empty()) text += " " + cpu_model;
  if (!microarchitecture.empty()) text += " (" + microarchitecture + ")";
  return text + " with " + memory_text() + " memory";
}

void to_json(nlohmann::json& json, const Machine& machine) {
  json = {{"host", machine.host},
          {"tbox_group", machine.tbox_group},
          {"nr_cpu", machine.nr_cpu},
          {"nr_socket", machine.nr_socket},
          {"nr_node", machine.nr_node},
          {"nr_core", machine.nr_core},
          {"memory_kb", machine.memory_kb},
          {"cpu_model", machine.cpu_model},
          {"microarchitecture", machine.microarchitecture},
          {"microcode", machine.microcode},
          {"governor", machine.governor},
          {"smt", machine.smt},
          {"mitigations", machine.mitigations},
          {"kernel", machine.kernel},
          {"kernel_version", machine.kernel_version},
          {"cmdline", machine.cmdline},
          {"arch", machine.arch},
          {"os", machine.os},
          {"os_version", machine.os_version},
          {"compiler", machine.compiler},
          {"hypervisor", machine.hypervisor},
          {"thp", machine.thp},
          {"aslr", machine.aslr},
          {"boot_id", machine.boot_id},
          {"disks", machine.disks}};
}

Result<Machine> machine_from_json(const nlohmann::json& json) {
  if (!json.is_object()) return failure("reading a machine description: not a JSON object");
  Machine machine;
  machine.host = member<std::string>(json, "host");
  machine.tbox_group = member<std::string>(json, "tbox_group");
  machine.nr_cpu = member<int>(json, "nr_cpu");
  machine.nr_socket = member<int>(json, "nr_socket");
  machine.nr_node = member<int>(json, "nr_node");
  machine.nr_core = member<int>(json, "nr_core");
  machine.memory_kb = member<std::int64_t>(json, "memory_kb");
  machine.cpu_model = member<std::string>(json, "cpu_model");
  machine.microarchitecture = member<std::string>(json, "microarchitecture");
  machine.microcode = member<std::string>(json, "microcode");
  machine.governor = member<std::string>(json, "governor");
  machine.smt = member<bool>(json, "smt");
  machine.mitigations = member<std::map<std::string, std::string>>(json, "mitigations");
  machine.kernel = member<std::string>(json, "kernel");
  machine.kernel_version = member<std::string>(json, "kernel_version");
  machine.cmdline = member<std::string>(json, "cmdline");
  machine.arch = member<std::string>(json, "arch");
  machine.os = member<std::string>(json, "os");
  machine.os_version = member<std::string>(json, "os_version");
  machine.compiler = member<std::string>(json, "compiler");
  machine.hypervisor = member<std::string>(json, "hypervisor");
  machine.thp = member<std::string>(json, "thp");
  machine.aslr = member<std::string>(json, "aslr");
  machine.boot_id = member<std::string>(json, "boot_id");
  machine.disks = member<std::map<std::string, std::string>>(json, "disks");
  return machine;
}

}  // namespace kilter::model
