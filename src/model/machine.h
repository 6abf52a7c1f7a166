#pragma once

#include "base/result.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace kilter::model {

// A test box as it was when a run was made; machine.json of a run directory.
struct Machine {
  std::string host;
  std::string tbox_group;
  int nr_cpu = 0;  // logical CPUs online
  int nr_socket = 0;
  int nr_node = 0;  // NUMA nodes
  int nr_core = 0;  // physical cores
  std::int64_t memory_kb = 0;
  std::string cpu_model;          // brand string with its inner blanks
  std::string microarchitecture;  // "Sapphire Rapids"; "" when unknown
  std::string microcode;
  std::string governor;  // "" when there is no cpufreq
  bool smt = false;
  std::map<std::string, std::string> mitigations;
  std::string kernel;          // uname -r
  std::string kernel_version;  // uname -v
  std::string cmdline;
  std::string arch;  // x86_64
  std::string os;    // "debian" of os-release ID
  std::string os_version;
  std::string compiler;    // "gcc-12"
  std::string hypervisor;  // "" on bare metal
  std::string thp;
  std::string aslr;
  std::string boot_id;
  std::map<std::string, std::string> disks;  // name -> model

  // Equal fingerprints may be compared; the difference names what is unlike ("cpu_model", "memory").
  [[nodiscard]] std::map<std::string, std::string> fingerprint() const;
  // Hash of the fingerprint, 16 hex digits.
  [[nodiscard]] std::string fingerprint_id() const;
  // "384G": what is installed. The kernel and the firmware keep 1 to 3 % of it for themselves, so MemTotal is
  // rounded up to the next sixteenth of a power of two, by which memory modules are sold ("512M" below 1G).
  [[nodiscard]] std::string memory_text() const;
  // The mail's line: "192 threads 2 sockets <brand> (Sapphire Rapids) with 384G memory".
  [[nodiscard]] std::string description() const;
};

void to_json(nlohmann::json& json, const Machine& machine);
[[nodiscard]] Result<Machine> machine_from_json(const nlohmann::json& json);

}  // namespace kilter::model
