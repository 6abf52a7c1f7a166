#include "base/text.h"
#include "suite/parsers/parsers.h"
#include "suite/parsers/scan.h"

#include <fmt/core.h>

// The truncate cases of vm-scalability:
//   16786456576 bytes faulted in 1646027573.516036361-1646027570.635570483 seconds
//   16786456576 bytes truncated in 1646027574.142081742-1646027573.516504878 seconds
// Rates are KiB per second; LKP calls their mean both throughput and median.
namespace kilter::suite {
namespace {

struct Phase {
  std::vector<double> rates;
  double kilobytes = 0;
};

void read_line(std::string_view line, std::string_view phase, Phase& into) {
  const std::optional<std::string_view> span = between(line, phase, " seconds");
  const std::optional<double> bytes = leading_number(line);
  if (!span || !bytes) return;
  const std::vector<std::string_view> times = split(*span, '-');
  if (times.size() != 2) return;
  const std::optional<double> end = parse_double(times[0]);
  const std::optional<double> begin = parse_double(times[1]);
  if (!end || !begin || *end <= *begin) return;
  const double kilobytes = static_cast<double>(truncated(*bytes / 1024));
  into.rates.push_back(kilobytes / (*end - *begin));
  into.kilobytes += kilobytes;
}

void add(const Phase& phase, const std::string& suffix, ParsedOutput& parsed) {
  const double middle = mean(phase.rates);
  const std::string deviation =
      fmt::format("{:.6g}", middle == 0 ? 0 : population_stddev(phase.rates) / middle * 100);
  parsed.add_integer("throughput" + suffix, truncated(middle));
  parsed.add("stddev" + suffix + "%", "  " + deviation);
  parsed.add_integer("median" + suffix, truncated(middle));
  parsed.add("median" + suffix + "_stddev%", deviation);
}

}  // namespace

void parse_vm_scalability(const RawOutput& output, ParsedOutput& parsed) {
  Phase truncations;
  Phase faults;
  for (const std::string_view line : lines(output.text)) {
    read_line(line, " bytes truncated in ", truncations);
    read_line(line, " bytes faulted in ", faults);
  }
  if (!truncations.rates.empty()) {
    add(truncations, "", parsed);
    parsed.add("workload", fmt::format("{:.2f}", truncations.kilobytes));
  }
  if (!faults.rates.empty()) add(faults, "_fault", parsed);
}

const std::vector<MetricRule>& vm_scalability_rules() {
  using enum model::Direction;
  static const std::vector<MetricRule> kRules = {{"throughput*", {"KiB/s", higher_better, true}},
                                                 {"*stddev*%", {"%", unknown, false}},
                                                 {"median*", {"KiB/s", higher_better, true}}};
  return kRules;
}

}  // namespace kilter::suite
