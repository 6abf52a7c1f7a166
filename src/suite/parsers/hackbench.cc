#include "base/text.h"
#include "suite/parsers/parsers.h"
#include "suite/parsers/scan.h"

#include <algorithm>

// kb = tasks * messages * bytes / 1024 per run, over the run's time. LKP counts senders and receivers as
// tasks, so the figure is twice what was sent; it is kept, since only its changes matter.
namespace kilter::suite {
namespace {

struct Instance {
  std::string id;
  double tasks = 0;
  double messages = 0;
  double bytes = 0;
  std::vector<double> times;
};

void read_instance_line(std::string_view line, Instance& instance) {
  if (const auto tasks = between(line, "(== ", " tasks)")) {
    instance.tasks = parse_double(*tasks).value_or(0);
  } else if (line.starts_with("Each sender will pass ")) {
    instance.messages = parse_double(word_after(line, "will pass ").value_or("")).value_or(0);
    instance.bytes = parse_double(word_after(line, "messages of ").value_or("")).value_or(0);
  } else if (line.starts_with("Time:")) {
    const double time = parse_double(word_after(line, "Time:").value_or("")).value_or(0);
    if (time > 0) instance.times.push_back(time);
  }
}

std::vector<Instance> read_hackbench(std::string_view text) {
  std::vector<Instance> instances;
  std::size_t now = 0;
  for (const std::string_view line : lines(text)) {
    if (line.starts_with("Instance:") || instances.empty()) {
      const std::string id(word_after(line, "Instance:").value_or(""));
      const auto it = std::ranges::find(instances, id, &Instance::id);
      now = static_cast<std::size_t>(it - instances.begin());
      if (it == instances.end()) instances.push_back({.id = id});
    }
    read_instance_line(line, instances[now]);
  }
  std::erase_if(instances, [](const Instance& instance) { return instance.times.empty(); });
  return instances;
}

void add(const Instance& instance, const std::string& suffix, ParsedOutput& parsed) {
  const std::int64_t kb = truncated(instance.tasks * instance.messages * instance.bytes / 1024);
  if (kb == 0) return;
  const double size = static_cast<double>(kb);
  const auto [best, worst] = std::ranges::minmax(instance.times);
  parsed.add_float("throughput" + suffix, size / best);
  parsed.add_float("throughput_best" + suffix, size / best);
  parsed.add_float("throughput_avg" + suffix, rounded(size / mean(instance.times), 2));
  parsed.add_float("throughput_worst" + suffix, size / worst);
}

}  // namespace

void parse_hackbench(const RawOutput& output, ParsedOutput& parsed) {
  const std::vector<Instance> instances = read_hackbench(output.text);
  for (const Instance& instance : instances)
    add(instance, instances.size() > 1 ? ".instance" + key_part(instance.id) : "", parsed);
}

}  // namespace kilter::suite
