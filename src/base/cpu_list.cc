#include "base/cpu_list.h"

#include "base/text.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

namespace kilter {

Result<std::vector<int>> parse_cpu_list(std::string_view text) {
  std::vector<int> cpus;
  for (const std::string_view part : split(text, ',')) {
    const std::vector<std::string_view> ends = split(part, '-');
    const std::optional<std::int64_t> first = parse_int(ends.front());
    const std::optional<std::int64_t> last = parse_int(ends.back());
    if (ends.size() > 2 || !first || !last || *first < 0 || *last < *first || *last >= kMaxCpus)
      return failure(fmt::format("reading the CPU list '{}': '{}' is no CPU or range", printable(text),
                                 printable(part)));
    for (std::int64_t cpu = *first; cpu <= *last; ++cpu) cpus.push_back(static_cast<int>(cpu));
  }
  std::ranges::sort(cpus);
  return cpus;
}

}  // namespace kilter
