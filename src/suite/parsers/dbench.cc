#include "base/text.h"
#include "suite/parsers/parsers.h"
#include "suite/parsers/scan.h"

// dbench and tbench: "Throughput 23775.4 MB/sec  128 clients  128 procs  max_latency=8.632 ms", once a run.
namespace kilter::suite {

void parse_dbench(const RawOutput& output, ParsedOutput& parsed) {
  std::vector<double> rates;
  std::vector<double> latencies;
  std::string clients;
  std::string procs;
  for (const std::string_view line : lines(output.text)) {
    if (!line.starts_with("Throughput ")) continue;
    const std::vector<std::string_view> fields = words(line);
    if (fields.size() < 8 || !fields[2].starts_with("MB/sec")) continue;
    const std::optional<double> rate = parse_double(fields[1]);
    const std::optional<double> latency = leading_number(after(line, "max_latency=").value_or(""));
    // Nothing was measured when the time was over before the warm-up.
    if (!rate || *rate == 0 || !latency) continue;
    rates.push_back(*rate);
    latencies.push_back(*latency);
    clients = fields[index_of(fields, "clients").value_or(4) - 1];
    procs = fields[index_of(fields, "procs").value_or(6) - 1];
  }
  if (rates.empty()) return;
  parsed.add_float("throughput_MB/s", rounded(mean(rates), 2));
  parsed.add_float("throughput_MB/s_harmonic_mean", rounded(harmonic_mean(rates), 2));
  parsed.add("clients", clients);
  parsed.add("procs", procs);
  parsed.add_float("max_latency", rounded(mean(latencies), 2));
  parsed.add_float("max_latency_harmonic_mean", rounded(harmonic_mean(latencies), 2));
}

const std::vector<MetricRule>& dbench_rules() {
  using enum model::Direction;
  static const std::vector<MetricRule> kRules = {
      {"throughput_MB/s", {"MB/s", higher_better, true}},
      {"throughput_MB/s_harmonic_mean", {"MB/s", higher_better, false}},
      {"max_latency*", {"ms", lower_better, false}}};
  return kRules;
}

}  // namespace kilter::suite
