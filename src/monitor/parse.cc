#include "monitor/parse.h"

#include "monitor/registry.h"

#include <fmt/core.h>

namespace kilter::monitor {

Result<std::string> parser_lines(std::string_view name, std::string_view raw) {
  const Monitor* monitor = find_monitor(name);
  if (monitor == nullptr || monitor->parse == nullptr)
    return failure(fmt::format("parsing '{}': there is no such monitor", name));
  std::string lines;
  monitor->parse(raw, lines);
  return lines;
}

}  // namespace kilter::monitor
