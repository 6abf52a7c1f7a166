#include "base/saturate.h"
#include "base/text.h"
#include "monitor/all.h"

#include <algorithm>
#include <optional>

// meminfo and numa-meminfo: "Key:  n kB", and "Node 0 Key:  n kB".
namespace kilter::monitor {
namespace {

std::string_view without_colon(std::string_view key) {
  return key.ends_with(':') ? key.substr(0, key.size() - 1) : key;
}

// What LKP adds: Memused, against the first MemTotal seen, and its running maximum.
struct MemoryUse {
  std::optional<std::int64_t> total;
  std::int64_t most = 0;

  void note(std::string_view key, std::int64_t kb, std::string& out) {
    if (key == "MemTotal" && !total) total = kb;
    if (key != "MemFree" || !total) return;
    const std::int64_t used = saturating_subtract(*total, kb);
    most = std::max(most, used);
    append_line("Memused", used, out);
    append_line("max_used_kB", most, out);
  }
};

}  // namespace

Sources meminfo_sources(const os::Root& root) {
  return fixed_sources(root, {"/proc/meminfo"});
}
Sources numa_meminfo_sources(const os::Root& root) {
  return node_sources(root, "meminfo");
}

void parse_meminfo(std::string_view raw, std::string& out) {
  MemoryUse use;
  for (const std::string_view line : lines(raw)) {
    const std::vector<std::string_view> fields = words(line);
    if (fields.size() < 2 || !fields[0].ends_with(':')) continue;
    const std::string_view key = without_colon(fields[0]);
    append_line(key, fields[1], out);
    use.note(key, parse_int(fields[1]).value_or(0), out);
  }
}

void parse_numa_meminfo(std::string_view raw, std::string& out) {
  for (const std::string_view line : lines(raw)) {
    const std::vector<std::string_view> fields = words(line);
    if (fields.size() == 2 && fields[0] == "time:") append_line("time", fields[1], out);
    if (fields.size() < 4 || fields[0] != "Node" || !fields[2].ends_with(':')) continue;
    std::string key = "node";
    key.append(fields[1]).append(".").append(without_colon(fields[2]));
    append_line(key, fields[3], out);
  }
}

}  // namespace kilter::monitor
