#include "monitor/monitor.h"

#include <fmt/core.h>

#include <iterator>

namespace kilter::monitor {

std::string_view style_name(Style style) {
  constexpr std::string_view kNames[] = {"loop", "start+end", "end", "follow", "external"};
  return kNames[static_cast<std::size_t>(style)];
}

void append_time(double time, std::string& out) {
  fmt::format_to(std::back_inserter(out), "time: {:.3f}\n", time);
}

void append_line(std::string_view key, std::string_view value, std::string& out) {
  out.append(key).append(": ").append(value) += '\n';
}

void append_line(std::string_view key, long long value, std::string& out) {
  fmt::format_to(std::back_inserter(out), "{}: {}\n", key, value);
}

Result<std::vector<Source>> fixed_sources(const os::Root& root, std::vector<std::string> paths) {
  std::vector<Source> sources;
  for (std::string& path : paths) {
    if (!root.exists(path)) return failure(fmt::format("this kernel has no '{}'", path));
    sources.push_back({.path = std::move(path)});
  }
  return sources;
}

Result<std::vector<Source>> node_sources(const os::Root& root, std::string_view file) {
  constexpr std::string_view kNodes = "/sys/devices/system/node";
  if (!root.exists(fmt::format("{}/node1", kNodes))) return failure("this machine has one NUMA node");
  std::vector<Source> sources;
  for (const std::string& name : root.list(kNodes)) {
    if (!name.starts_with("node") || name.find_first_not_of("0123456789", 4) != std::string::npos) continue;
    std::string path = fmt::format("{}/{}/{}", kNodes, name, file);
    if (root.exists(path))
      sources.push_back({.path = std::move(path), .head = fmt::format("node: {}\n", name.substr(4))});
  }
  if (sources.empty()) return failure(fmt::format("this kernel has no '{}/node*/{}'", kNodes, file));
  return sources;
}

}  // namespace kilter::monitor
