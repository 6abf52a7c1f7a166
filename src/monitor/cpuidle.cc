#include "base/saturate.h"
#include "base/text.h"
#include "monitor/all.h"

#include <fmt/core.h>

// cpuidle: entries of and time in each idle state, summed over CPUs.
namespace kilter::monitor {
namespace {

constexpr std::string_view kCpus = "/sys/devices/system/cpu";

void add_state(const os::Root& root, const std::string& cpu, const std::string& state,
               std::vector<Source>& sources) {
  const std::string directory = fmt::format("{}/{}/cpuidle/{}", kCpus, cpu, state);
  const Result<std::string> name = root.read(directory + "/name");
  if (!name) return;
  const std::string label = replace_all(std::string(trim(*name)), " ", "_");
  for (const std::string_view what : {"time", "usage"})
    sources.push_back(
        {.path = fmt::format("{}/{}", directory, what), .head = fmt::format("{}.{}.{}: ", cpu, label, what)});
}

// Sums of one sample, in the order their states appear.
class Sums {
 public:
  void add(std::string_view state, std::string_view what, std::int64_t value) {
    named_ = named_ && !state.empty();
    grow(at(fmt::format("{}.{}", state, what)), value);
    if (what == "time") grow(time_, value);
    if (what == "usage") grow(usage_, value);
  }

  void print(std::string& out) {
    for (const auto& [key, value] : sums_) append_line(key, value, out);
    // LKP loses the names and so has one sum over all states; where names are known both are given.
    if (named_ && !sums_.empty()) {
      append_line(".time", time_, out);
      append_line(".usage", usage_, out);
    }
    *this = Sums();
  }

 private:
  static void grow(std::int64_t& sum, std::int64_t value) { sum = saturating_add(sum, value); }

  std::int64_t& at(const std::string& key) {
    for (auto& [known, value] : sums_)
      if (known == key) return value;
    return sums_.emplace_back(key, 0).second;
  }

  std::vector<std::pair<std::string, std::int64_t>> sums_;
  bool named_ = true;
  std::int64_t time_ = 0;
  std::int64_t usage_ = 0;
};

}  // namespace

Sources cpuidle_sources(const os::Root& root) {
  std::vector<Source> sources;
  for (const std::string& cpu : root.list(kCpus))
    for (const std::string& state : root.list(fmt::format("{}/{}/cpuidle", kCpus, cpu)))
      if (state.starts_with("state")) add_state(root, cpu, state, sources);
  if (sources.empty()) return failure(fmt::format("this kernel has no '{}/cpu*/cpuidle/state*'", kCpus));
  return sources;
}

void parse_cpuidle(std::string_view raw, std::string& out) {
  Sums sums;
  for (const std::string_view line : lines(raw)) {
    const std::vector<std::string_view> fields = words(line);
    if (fields.size() != 2 || !fields[0].ends_with(':')) continue;
    if (fields[0] == "time:") {
      sums.print(out);
      continue;
    }
    const std::string_view key = fields[0].substr(0, fields[0].size() - 1);
    const std::size_t first = key.find('.');
    const std::size_t last = key.rfind('.');
    const std::optional<std::int64_t> value = parse_int(fields[1]);
    if (!value || first == std::string_view::npos || first == last) continue;
    sums.add(key.substr(first + 1, last - first - 1), key.substr(last + 1), *value);
  }
  sums.print(out);
}

}  // namespace kilter::monitor
