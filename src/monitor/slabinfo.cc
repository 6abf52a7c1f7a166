#include "base/text.h"
#include "monitor/all.h"

// slabinfo version 2.1: name active_objs num_objs objsize objperslab pagesperslab : tunables limit batch
// shared : slabdata active_slabs num_slabs sharedavail.
namespace kilter::monitor {

Sources slabinfo_sources(const os::Root& root) {
  return fixed_sources(root, {"/proc/slabinfo"});
}

void parse_slabinfo(std::string_view raw, std::string& out) {
  bool known_version = false;
  for (const std::string_view line : lines(raw)) {
    const std::vector<std::string_view> fields = words(line);
    if (fields.size() == 2 && fields[0] == "time:") append_line("time", fields[1], out);
    if (line.starts_with("slabinfo - version:")) known_version = line.ends_with(" 2.1");
    if (!known_version || fields.size() != 16 || fields[0].starts_with('#') || fields[12] != "slabdata")
      continue;
    const std::string cache(fields[0]);
    append_line(cache + ".active_objs", fields[1], out);
    append_line(cache + ".num_objs", fields[2], out);
    append_line(cache + ".active_slabs", fields[13], out);
    append_line(cache + ".num_slabs", fields[14], out);
  }
}

}  // namespace kilter::monitor
