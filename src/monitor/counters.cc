#include "base/text.h"
#include "monitor/all.h"

#include <unordered_set>

// proc-vmstat, numa-vmstat, numa-numastat: "key value" lines, of a NUMA node where "node: N" stands before.
namespace kilter::monitor {

Sources proc_vmstat_sources(const os::Root& root) {
  return fixed_sources(root, {"/proc/vmstat"});
}
Sources numa_vmstat_sources(const os::Root& root) {
  return node_sources(root, "vmstat");
}
Sources numa_numastat_sources(const os::Root& root) {
  return node_sources(root, "numastat");
}

void parse_counters(std::string_view raw, std::string& out) {
  std::string prefix;
  std::unordered_set<std::string_view> seen;  // some kernels list a counter of a node twice
  for (const std::string_view line : lines(raw)) {
    const std::vector<std::string_view> fields = words(line);
    if (fields.size() != 2) continue;
    if (fields[0] == "time:") {
      append_line("time", fields[1], out);
      prefix.clear();
      seen.clear();
    } else if (fields[0] == "node:") {
      prefix = "node" + std::string(fields[1]) + ".";
      seen.clear();
    } else if (prefix.empty() || seen.insert(fields[0]).second) {
      append_line(prefix + std::string(fields[0]), fields[1], out);
    }
  }
}

}  // namespace kilter::monitor
