#include "base/text.h"
#include "suite/parsers/parsers.h"
#include "suite/parsers/scan.h"

#include <algorithm>

// go test -bench: "BenchmarkEncode/size=10-8   123456   9876 ns/op   12.5 MB/s   48 B/op   2 allocs/op"
// Keys are "<name>.<unit>". The "-8" is GOMAXPROCS: it says nothing of the benchmark and is dropped, unless
// the lines differ in it (-cpu 1,2,4, or names that end so by themselves).
namespace kilter::suite {
namespace {

using Words = std::vector<std::string_view>;

bool is_result(const Words& fields) {
  return fields.size() >= 4 && fields[0].starts_with("Benchmark") && parse_int(fields[1]) &&
         parse_double(fields[2]);
}

std::string_view cpu_suffix(std::string_view name) {
  const std::size_t dash = name.rfind('-');
  if (dash == std::string_view::npos || !parse_int(name.substr(dash + 1))) return {};
  return name.substr(dash);
}

std::string name_of(std::string_view printed, std::string_view suffix) {
  printed.remove_suffix(suffix.size());
  printed.remove_prefix(std::string_view("Benchmark").size());
  return key_part(printed);
}

}  // namespace

void parse_go_bench(const RawOutput& output, ParsedOutput& parsed) {
  std::vector<Words> rows;
  for (const std::string_view line : lines(output.text)) {
    if (!line.starts_with("Benchmark")) continue;
    Words fields = words(line);
    if (is_result(fields)) rows.push_back(std::move(fields));
  }
  if (rows.empty()) return;
  const std::string_view first = cpu_suffix(rows[0][0]);
  const bool same =
      std::ranges::all_of(rows, [first](const Words& row) { return cpu_suffix(row[0]) == first; });
  for (const Words& row : rows) {
    const std::string name = name_of(row[0], same ? first : std::string_view());
    for (std::size_t i = 2; i + 1 < row.size() && parse_double(row[i]); i += 2)
      parsed.add(name + "." + std::string(row[i + 1]), std::string(row[i]));
  }
}

const std::vector<MetricRule>& go_bench_rules() {
  using enum model::Direction;
  static const std::vector<MetricRule> kRules = {
      {"*.ns/op", {"ns/op", lower_better, true}},
      {"*.MB/s", {"MB/s", higher_better, true}},
      {"*.B/op", {"B/op", lower_better, false}},
      {"*.allocs/op", {"allocs/op", lower_better, false}},
  };
  return kRules;
}

}  // namespace kilter::suite
