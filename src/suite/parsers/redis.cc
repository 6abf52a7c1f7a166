#include "base/text.h"
#include "suite/parsers/parsers.h"
#include "suite/parsers/scan.h"

#include <algorithm>
#include <array>
#include <map>

// redis-benchmark, one or more instances in one log:
//   ====== SET ======
//     throughput summary: 50000.00 requests per second
//   requests completed in 2.00 seconds
//   90.00% <= 2 milliseconds
// or, in its quiet form, "PING_INLINE: 1000.00 requests per second".
namespace kilter::suite {
namespace {

struct Command {
  std::string name;
  std::vector<double> rates;
  std::vector<double> times;
  std::vector<std::map<double, double>> shares;  // of each instance: milliseconds -> percent
};

Command& command(std::vector<Command>& commands, std::string_view title) {
  std::string name = key_part(trim(title));
  std::ranges::transform(name, name.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  auto it = std::ranges::find(commands, name, &Command::name);
  if (it == commands.end()) {
    commands.push_back({.name = name});
    it = commands.end() - 1;
  }
  it->shares.emplace_back();
  return *it;
}

void read_share(std::string_view line, Command& now) {
  const std::optional<double> percent = leading_number(line);
  const std::optional<double> limit = parse_double(word_after(line, "<= ").value_or(""));
  if (percent && limit) now.shares.back()[*limit] = *percent;
}

void read_line(std::string_view line, Command& now) {
  if (const auto rate = parse_double(word_after(line, "throughput summary:").value_or("")))
    now.rates.push_back(*rate);
  if (const auto time = parse_double(word_after(line, "requests completed in ").value_or("")))
    now.times.push_back(*time);
  if (line.contains("% <= ")) read_share(line, now);
}

// The mean share at each limit; an instance that does not name a limit has the share of its last one below.
void add_latencies(const Command& one, ParsedOutput& parsed) {
  std::map<double, double> limits;
  for (const std::map<double, double>& shares : one.shares) limits.insert(shares.begin(), shares.end());
  constexpr std::array<double, 3> kPercents = {90, 95, 99};
  std::size_t next = 0;
  for (const auto& [limit, unused] : limits) {
    std::vector<double> at;
    for (const std::map<double, double>& shares : one.shares) {
      const auto above = shares.upper_bound(limit);
      at.push_back(above == shares.begin() ? 0 : std::prev(above)->second);
    }
    const std::string milliseconds = number_text(limit);
    parsed.add_float(one.name + "_latency_" + milliseconds + "ms%", mean(at));
    for (; next < kPercents.size() && mean(at) >= kPercents[next]; ++next)
      parsed.add(one.name + "_latency_" + number_text(kPercents[next]) + "%_ms", milliseconds);
  }
}

using Summary = double (*)(std::span<const double>);

void add_summary(const std::vector<Command>& commands, const std::string& name, Summary summary,
                 ParsedOutput& parsed) {
  for (const Command& one : commands)
    parsed.add_float(one.name + "_" + name + "_throughput_rps", summary(one.rates));
  for (const Command& one : commands)
    parsed.add_float(one.name + "_" + name + "_time_sec", summary(one.times));
}

}  // namespace

void parse_redis(const RawOutput& output, ParsedOutput& parsed) {
  std::vector<Command> commands;
  std::string now;
  for (const std::string_view line : lines(output.text)) {
    if (const auto title = between(line, "====== ", " ======"))
      now = command(commands, *title).name;
    else if (const auto it = std::ranges::find(commands, now, &Command::name); it != commands.end())
      read_line(line, *it);
    else if (line.ends_with(" requests per second") && line.contains(": "))
      parsed.add(key_part(line.substr(0, line.find(": "))), std::string(word_after(line, ": ").value_or("")));
  }
  std::erase_if(commands, [](const Command& one) { return one.rates.empty() && one.times.empty(); });
  add_summary(commands, "total", sum, parsed);
  add_summary(commands, "avg", mean, parsed);
  for (const Command& one : commands) add_latencies(one, parsed);
}

const std::vector<MetricRule>& redis_rules() {
  using enum model::Direction;
  static const std::vector<MetricRule> kRules = {{"*_throughput_rps", {"requests/s", higher_better, true}},
                                                 {"*_time_sec", {"s", lower_better, false}},
                                                 {"*%_ms", {"ms", lower_better, false}},
                                                 {"*ms%", {"%", higher_better, false}}};
  return kRules;
}

}  // namespace kilter::suite
