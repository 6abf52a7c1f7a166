#include "base/text.h"
#include "monitor/all.h"

#include <optional>

// perf c2c report --stats: how often cache lines were fetched from where.
namespace kilter::monitor {
namespace {

struct Count {
  std::string_view label;
  std::string_view key;
};
constexpr Count kCounts[] = {{"Load Local HITM", "HITM.local"},
                             {"Load Remote HITM", "HITM.remote"},
                             {"Load Remote HIT", "HIT.remote"},
                             {"Load Local DRAM", "DRAM.local"},
                             {"Load Remote DRAM", "DRAM.remote"}};

}  // namespace

void parse_perf_c2c(std::string_view raw, std::string& out) {
  std::int64_t modified = 0;
  bool any = false;
  for (const std::string_view line : lines(raw)) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    const std::optional<std::int64_t> value = parse_int(trim(line.substr(colon + 1)));
    for (const auto& [label, key] : kCounts) {
      if (!value || trim(line.substr(0, colon)) != label) continue;
      append_line(key, *value, out);
      any = true;
      if (key.starts_with("HITM")) modified += *value;
    }
  }
  if (any) append_line("HITM.total", modified, out);
}

}  // namespace kilter::monitor
