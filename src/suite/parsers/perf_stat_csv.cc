#include "base/text.h"
#include "suite/parsers/parsers.h"
#include "suite/parsers/scan.h"

// perf stat -x, [-r N]: "<value>,<unit>,<event>,[<deviation>%,]<running ns>,<running %>[,<metric>,<its
// unit>]". With -I a time stands before it. What was not counted is no value.
namespace kilter::suite {
namespace {

using Cells = std::vector<std::string_view>;

bool is_value(std::string_view cell) {
  return parse_double(cell) || cell.starts_with("<not ");
}

bool is_metric_unit(std::string_view text) {
  return !text.empty() && !text.ends_with("/sec");
}

void read_event_line(std::string_view line, ParsedOutput& parsed) {
  Cells cells = split(line, ',');
  for (std::string_view& cell : cells) cell = trim(cell);
  if (cells.size() > 3 && parse_double(cells[0]) && is_value(cells[1])) cells.erase(cells.begin());
  if (cells.size() < 5 || !is_value(cells[0]) || cells[2].empty() || parse_double(cells[2])) return;
  const std::string event = key_part(cells[2]);
  if (parse_double(cells[0])) parsed.add(event, std::string(cells[0]));
  const std::size_t metric = cells[3].ends_with('%') ? 6 : 5;
  if (cells.size() > metric + 1 && parse_double(cells[metric]) && is_metric_unit(cells[metric + 1]))
    parsed.add(event + "." + key_part(cells[metric + 1]), std::string(cells[metric]));
}

}  // namespace

void parse_perf_stat_csv(const RawOutput& output, ParsedOutput& parsed) {
  for (const std::string_view line : lines(output.text))
    if (!line.starts_with('#')) read_event_line(line, parsed);
}

// Of a fixed piece of work.
const std::vector<MetricRule>& perf_stat_csv_rules() {
  using enum model::Direction;
  static const std::vector<MetricRule> kRules = {
      {"*.CPUs_utilized", {"CPUs", unknown, false}},
      {"*.insn_per_cycle", {"instructions/cycle", unknown, false}},
      {"duration_time*", {"ns", lower_better, true}},
      {"user_time*", {"ns", lower_better, false}},
      {"system_time*", {"ns", lower_better, false}},
      {"task-clock*", {"ms", lower_better, true}},
      {"cpu-clock*", {"ms", lower_better, true}},
      {"cycles*", {"cycles", lower_better, true}},
      {"instructions*", {"instructions", lower_better, true}},
  };
  return kRules;
}

}  // namespace kilter::suite
