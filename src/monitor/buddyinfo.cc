#include "base/text.h"
#include "monitor/all.h"

#include <fmt/core.h>

// buddyinfo: "Node 0, zone      DMA      0      1 ...", free blocks by order.
namespace kilter::monitor {

Sources buddyinfo_sources(const os::Root& root) {
  return fixed_sources(root, {"/proc/buddyinfo"});
}

void parse_buddyinfo(std::string_view raw, std::string& out) {
  constexpr std::size_t kFirstOrder = 4;
  for (const std::string_view line : lines(raw)) {
    const std::vector<std::string_view> fields = words(line);
    if (fields.size() == 2 && fields[0] == "time:") append_line("time", fields[1], out);
    if (fields.size() <= kFirstOrder || fields[0] != "Node" || !fields[1].ends_with(',')) continue;
    const std::string_view node = fields[1].substr(0, fields[1].size() - 1);
    for (std::size_t i = kFirstOrder; i < fields.size(); ++i)
      append_line(fmt::format("Node.{}.zone.{}.{}", node, fields[3], i - kFirstOrder), fields[i], out);
  }
}

}  // namespace kilter::monitor
