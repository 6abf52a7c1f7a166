#include "base/text.h"
#include "suite/parsers/parsers.h"
#include "suite/parsers/scan.h"

// "lo 93638 93638 106.37Mb/s 106.37Mb/s" of the Netstat table (out, in), and
// "master 32.34s 259.89MB 67.42Mb/s 3027910 0.00" of the run statistics.
namespace kilter::suite {
namespace {

void add_rate(std::string_view cell, const std::string& key, ParsedOutput& parsed) {
  if (!cell.ends_with("b/s")) return;
  const std::optional<double> value = leading_number(cell);
  const std::size_t unit = cell.find_first_not_of("0123456789.");
  if (!value || cell.size() - unit > 4) return;
  const std::string scale(cell.substr(unit, cell.size() - unit - 3));
  parsed.add(key + "_" + scale + "bps", std::string(cell.substr(0, unit)));
}

}  // namespace

void parse_uperf(const RawOutput& output, ParsedOutput& parsed) {
  enum class Table { none, net, run } table = Table::none;
  for (const std::string_view line : lines(output.text)) {
    const std::vector<std::string_view> cells = words(line);
    if (line.starts_with("Nic ")) table = Table::net;
    if (line.starts_with("Hostname ")) table = Table::run;
    if (cells.empty()) table = Table::none;
    if (table == Table::net && cells.size() == 5) {
      add_rate(cells[3], "Netstat_" + key_part(cells[0]) + "_out", parsed);
      add_rate(cells[4], "Netstat_" + key_part(cells[0]) + "_in", parsed);
    } else if (table == Table::run && cells.size() == 6) {
      add_rate(cells[3], "Runstat_" + key_part(cells[0]), parsed);
    }
  }
}

const std::vector<MetricRule>& uperf_rules() {
  using enum model::Direction;
  static const std::vector<MetricRule> kRules = {{"*Kbps", {"Kbit/s", higher_better, true}},
                                                 {"*Mbps", {"Mbit/s", higher_better, true}},
                                                 {"*Gbps", {"Gbit/s", higher_better, true}}};
  return kRules;
}

}  // namespace kilter::suite
