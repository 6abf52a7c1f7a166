#include "base/text.h"
#include "monitor/all.h"

#include <fmt/core.h>

// pagetypeinfo: free blocks by zone, migrate type and order, then a table of pageblocks by zone and type.
namespace kilter::monitor {
namespace {

using Words = std::vector<std::string_view>;

std::string_view strip(std::string_view text, char end) {
  return text.ends_with(end) ? text.substr(0, text.size() - 1) : text;
}

// ">100000": the kernel stopped counting there.
std::string_view count(std::string_view text) {
  return text.starts_with('>') ? text.substr(1) : text;
}

// Node 0, zone DMA, type Unmovable 1 0 ...
void free_blocks(const Words& fields, std::string& out) {
  constexpr std::size_t kFirstOrder = 6;
  for (std::size_t i = kFirstOrder; i < fields.size(); ++i)
    append_line(fmt::format("Node{}.{}.{}.{}", strip(fields[1], ','), strip(fields[3], ','), fields[5],
                            i - kFirstOrder),
                count(fields[i]), out);
}

// Node 0, zone DMA 1 7 ... under the types of the table's head.
void page_blocks(const Words& fields, const Words& types, std::string& out) {
  constexpr std::size_t kFirstType = 4;
  for (std::size_t i = kFirstType; i < fields.size() && i - kFirstType < types.size(); ++i)
    append_line(
        fmt::format("Node{}.{}.{}", strip(fields[1], ','), strip(fields[3], ','), types[i - kFirstType]),
        count(fields[i]), out);
}

}  // namespace

Sources pagetypeinfo_sources(const os::Root& root) {
  return fixed_sources(root, {"/proc/pagetypeinfo"});
}

void parse_pagetypeinfo(std::string_view raw, std::string& out) {
  constexpr std::string_view kTableHead = "Number of blocks type";
  Words types;
  for (const std::string_view line : lines(raw)) {
    const Words fields = words(line);
    if (fields.size() == 2 && fields[0] == "time:") {
      append_line("time", fields[1], out);
      types.clear();
    }
    if (line.starts_with(kTableHead)) types = words(line.substr(kTableHead.size()));
    if (fields.size() < 5 || fields[0] != "Node") continue;
    if (fields.size() > 6 && fields[4] == "type") {
      free_blocks(fields, out);
    } else {
      page_blocks(fields, types, out);
    }
  }
}

}  // namespace kilter::monitor
