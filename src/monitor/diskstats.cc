#include "base/text.h"
#include "monitor/all.h"

#include <algorithm>

// diskstats: 11 counters of each block device; kernels from 4.18 on add four for discards, from 5.5 on two
// for flushes.
namespace kilter::monitor {
namespace {

constexpr std::string_view kFields[] = {
    "read_ios",       "read_merges",     "read_sectors",  "read_ticks", "write_ios",     "write_merges",
    "write_sectors",  "write_ticks",     "in_flight",     "io_ticks",   "time_in_queue", "discard_ios",
    "discard_merges", "discard_sectors", "discard_ticks", "flush_ios",  "flush_ticks"};
constexpr std::size_t kNameColumns = 3;  // major, minor, name
constexpr std::size_t kOldFields = 11;

}  // namespace

Sources diskstats_sources(const os::Root& root) {
  return fixed_sources(root, {"/proc/diskstats"});
}

void parse_diskstats(std::string_view raw, std::string& out) {
  for (const std::string_view line : lines(raw)) {
    const std::vector<std::string_view> fields = words(line);
    if (fields.size() == 2 && fields[0] == "time:") append_line("time", fields[1], out);
    if (fields.size() < kNameColumns + kOldFields) continue;
    const std::string device = "." + std::string(fields[2]);
    const std::size_t count = std::min(fields.size() - kNameColumns, std::size(kFields));
    for (std::size_t i = 0; i < count; ++i)
      append_line(std::string(kFields[i]) + device, fields[kNameColumns + i], out);
  }
}

}  // namespace kilter::monitor
