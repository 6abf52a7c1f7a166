#include "monitor/proc_stat.h"

#include <charconv>

namespace kilter::monitor {
namespace {

// The first number at or after `text`; moves past it.
std::int64_t next_number(std::string_view& text) {
  const std::size_t begin = text.find_first_of("0123456789");
  std::int64_t value = 0;
  if (begin == std::string_view::npos) {
    text = {};
    return 0;
  }
  const char* end = text.data() + text.size();
  const char* stop = std::from_chars(text.data() + begin, end, value).ptr;
  text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
  return value;
}

std::string_view next_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

CpuTicks cpu_line(std::string_view line) {
  CpuTicks cpu;
  const std::size_t blank = line.find(' ');
  cpu.name = line.substr(0, blank);
  line.remove_prefix(cpu.name.size());
  for (std::int64_t& ticks : cpu.ticks) ticks = next_number(line);
  return cpu;
}

}  // namespace

ProcStat read_proc_stat(std::string_view text) {
  ProcStat stat;
  const auto rest_of = [](std::string_view line) {
    line.remove_prefix(line.find(' '));
    return next_number(line);
  };
  while (!text.empty()) {
    const std::string_view line = next_line(text);
    if (line.starts_with("cpu") && line.contains(' ')) stat.cpus.push_back(cpu_line(line));
    if (line.starts_with("intr ")) stat.interrupts = rest_of(line);
    if (line.starts_with("ctxt ")) stat.switches = rest_of(line);
    if (line.starts_with("procs_running ")) stat.running = rest_of(line);
    if (line.starts_with("procs_blocked ")) stat.blocked = rest_of(line);
  }
  return stat;
}

std::int64_t value_of(std::string_view text, std::string_view key) {
  while (!text.empty()) {
    std::string_view line = next_line(text);
    if (!line.starts_with(key) || line.size() == key.size() || line[key.size()] != ' ') continue;
    line.remove_prefix(key.size());
    return next_number(line);
  }
  return 0;
}

}  // namespace kilter::monitor
