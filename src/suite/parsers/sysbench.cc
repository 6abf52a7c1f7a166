#include "base/text.h"
#include "suite/parsers/parsers.h"
#include "suite/parsers/scan.h"

#include <array>
#include <utility>

// cpu, memory, threads, mutex: one summary each, with the figures of that test before "General statistics".
namespace kilter::suite {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kLatencies = {{
    {"min:", "latency_min_ms"},
    {"avg:", "latency_avg_ms"},
    {"max:", "latency_max_ms"},
    {"95th percentile:", "latency_95th_ms"},
}};

struct SysbenchLog {
  std::optional<double> rate;  // as printed by the test itself
  std::optional<double> seconds;
  std::optional<std::int64_t> events;
  bool in_latency = false;
};

void read_rates(std::string_view line, SysbenchLog& log, ParsedOutput& parsed) {
  if (line.starts_with("events per second:")) {
    log.rate = parse_double(word_after(line, "events per second:").value_or(""));
  } else if (line.starts_with("Total operations:")) {
    if (const auto rate = between(line, "(", " per second"))
      parsed.add("throughput_ops/s", std::string(*rate));
  } else if (line.contains("transferred (")) {
    if (const auto rate = between(line, "transferred (", " MiB/sec"))
      parsed.add("throughput_MB/s", std::string(*rate));
  } else if (line.starts_with("total time:")) {
    log.seconds = leading_number(word_after(line, "total time:").value_or(""));
  } else if (line.starts_with("total number of events:")) {
    log.events = parse_int(word_after(line, "total number of events:").value_or(""));
  }
}

void read_latency(std::string_view line, ParsedOutput& parsed) {
  for (const auto& [name, key] : kLatencies)
    if (line.starts_with(name))
      parsed.add(std::string(key), std::string(word_after(line, name).value_or("")));
}

}  // namespace

void parse_sysbench(const RawOutput& output, ParsedOutput& parsed) {
  SysbenchLog log;
  for (const std::string_view line : lines(output.text)) {
    const std::string_view content = trim(line);
    if (content.starts_with("Latency (ms)")) log.in_latency = true;
    if (content.empty()) log.in_latency = false;
    read_rates(content, log, parsed);
    if (log.in_latency) read_latency(content, parsed);
  }
  if (log.events && !log.rate && log.seconds && *log.seconds > 0)
    log.rate = rounded(static_cast<double>(*log.events) / *log.seconds, 2);
  if (log.rate) parsed.add_float("throughput_events/s", *log.rate);
  if (log.events) parsed.add_integer("workload", *log.events);
}

}  // namespace kilter::suite
