#include "base/text.h"
#include "suite/parsers/parsers.h"
#include "suite/parsers/scan.h"

#include <algorithm>
#include <array>

// Between the units' line of the table and "run time:" stand rows
//   stress-ng: metrc: [511] sem  79304  1.00  0.20  0.61  79256.82  98238.97 [cpu%  rss]
// and measured extras
//   stress-ng: metrc: [511] sem  301686.12 sem_wait calls per sec (harmonic mean of 224 instances)
namespace kilter::suite {
namespace {

constexpr std::array<std::string_view, 4> kMeans = {"(geometric mean", "(harmonic mean", "(average ",
                                                    "(total "};
constexpr std::string_view kUnitSeparators = " ,\"_[]():";

bool is_table_line(const std::vector<std::string_view>& fields) {
  return fields.size() > 4 && fields[0] == "stress-ng:" && (fields[1] == "info:" || fields[1] == "metrc:");
}

std::optional<std::size_t> mean_note(std::string_view line) {
  for (const std::string_view note : kMeans)
    if (const std::size_t at = line.rfind(note); at != std::string_view::npos) return at;
  return std::nullopt;
}

void add_outcome(const std::string& key, bool pass, ParsedOutput& parsed) {
  parsed.add(key + (pass ? ".pass" : ".fail"), "1");
}

// `line` is cut before the note: the unit is all that follows the value.
void add_extra(std::string_view line, const std::vector<std::string_view>& fields, ParsedOutput& parsed) {
  const std::optional<double> value = parse_double(fields[4]);
  const std::size_t begin = static_cast<std::size_t>(fields[4].data() - line.data()) + fields[4].size();
  const std::string unit = squeeze(trim(line.substr(std::min(begin, line.size()))), kUnitSeparators);
  if (!value || unit.empty()) return;
  const std::string key = std::string(fields[3]) + "." + unit;
  add_outcome(key, *value != 0, parsed);
  if (*value != 0) parsed.add(key, std::string(fields[4]));
}

void add_row(const std::vector<std::string_view>& fields, ParsedOutput& parsed) {
  const std::optional<double> ops = parse_double(fields[4]);
  if (!ops || !parse_double(fields[8])) return;
  const std::string name(fields[3]);
  add_outcome(name, *ops != 0, parsed);
  if (*ops == 0) return;
  parsed.add(name + ".ops", std::string(fields[4]));
  parsed.add(name + ".ops_per_sec", std::string(fields[8]));
}

void read_table_line(std::string_view line, ParsedOutput& parsed) {
  const std::vector<std::string_view> fields = words(line);
  if (!is_table_line(fields)) return;
  if (const std::optional<std::size_t> note = mean_note(line))
    add_extra(line.substr(0, *note), fields, parsed);
  else if (fields.size() == 10 || fields.size() == 12)
    add_row(fields, parsed);
}

}  // namespace

void parse_stress_ng(const RawOutput& output, ParsedOutput& parsed) {
  bool in_table = false;
  for (const std::string_view line : lines(output.text)) {
    if (line.contains("fail:") && line.contains("sigaction signal")) {
      parsed.add("sigaction.fail", "1");
      return;
    }
    if (line.contains("(secs)    (secs)    (secs)"))
      in_table = true;
    else if (line.contains("run time:"))
      in_table = false;
    else if (in_table)
      read_table_line(line, parsed);
  }
}

}  // namespace kilter::suite
