#include "base/text.h"
#include "suite/parsers/parsers.h"
#include "suite/parsers/scan.h"

#include <algorithm>
#include <array>

// schbench prints a block of percentiles every ten seconds and one at the end of each run:
//   Wakeup Latencies percentiles (usec) runtime 10 (s) (82781 total samples)
//             50.0th: 5          (0 samples)
//           * 99.0th: 8          (2076 samples)
//             min=1, max=119
// "<kind>_latency_*" is over all blocks, "<kind>_end_latency_*" over the last block of each run.
namespace kilter::suite {
namespace {

struct Point {
  std::string name;  // "50%", "min"
  std::vector<double> all;
  std::vector<double> ends;
  double last = 0;
  bool open = false;  // `last` belongs to the run that goes on
};

struct SchbenchKind {
  std::string name;
  std::vector<Point> points;
};

Point& point(SchbenchKind& kind, const std::string& name) {
  const auto it = std::ranges::find(kind.points, name, &Point::name);
  if (it != kind.points.end()) return *it;
  kind.points.push_back({.name = name});
  return kind.points.back();
}

void add_sample(SchbenchKind& kind, const std::string& name, std::string_view text) {
  const std::optional<double> value = leading_number(text);
  if (!value) return;
  Point& target = point(kind, name);
  target.all.push_back(*value);
  target.last = *value;
  target.open = true;
}

void read_block_line(std::string_view line, SchbenchKind& kind) {
  if (const auto low = word_after(line, "min=")) add_sample(kind, "min", *low);
  if (const auto high = word_after(line, "max=")) add_sample(kind, "max", *high);
  const std::size_t mark = line.find("th:");
  if (mark == std::string_view::npos) return;
  const std::vector<std::string_view> before = words(line.substr(0, mark));
  const std::vector<std::string_view> behind = words(line.substr(mark + 3));
  if (before.empty() || behind.empty()) return;
  const std::optional<double> percent =
      parse_double(before.back().starts_with('*') ? before.back().substr(1) : before.back());
  if (percent) add_sample(kind, model::Number(*percent).json() + "%", behind.front());
}

void end_run(std::span<SchbenchKind> kinds) {
  for (SchbenchKind& kind : kinds) {
    for (Point& one : kind.points) {
      if (one.open) one.ends.push_back(one.last);
      one.open = false;
    }
  }
}

double stddev_percent(const std::vector<double>& values) {
  const double middle = mean(values);
  return middle == 0 ? 0 : rounded(population_stddev(values) / middle * 100, 2);
}

// 50.0% is named 50%, 99.9% keeps its fraction.
std::string shown(std::string name) {
  return replace_all(std::move(name), ".0%", "%");
}

bool is_range(const Point& point) {
  return point.name == "min" || point.name == "max";
}

void add_over_all(const SchbenchKind& kind, bool ranges, ParsedOutput& parsed) {
  for (const Point& one : kind.points) {
    if (is_range(one) != ranges) continue;
    const std::string key = kind.name + "_latency_" + shown(one.name) + "_us";
    parsed.add_float(key, rounded(mean(one.all), 2));
    parsed.add_float(key + "_stddev%", stddev_percent(one.all));
  }
}

void add_over_ends(const SchbenchKind& kind, ParsedOutput& parsed) {
  for (const Point& one : kind.points) {
    if (is_range(one) || one.ends.empty()) continue;
    const std::string key = kind.name + "_end_latency_" + shown(one.name) + "_us";
    parsed.add_integer(key + "_max", truncated(*std::ranges::max_element(one.ends)));
    parsed.add_float(key + "_stddev%", stddev_percent(one.ends));
  }
}

}  // namespace

void parse_schbench(const RawOutput& output, ParsedOutput& parsed) {
  std::array<SchbenchKind, 2> kinds = {SchbenchKind{.name = "wakeup", .points = {}},
                                       SchbenchKind{.name = "request", .points = {}}};
  SchbenchKind* now = nullptr;
  for (const std::string_view line : lines(output.text)) {
    if (line.starts_with("Wakeup Latencies"))
      now = &kinds[0];
    else if (line.starts_with("Request Latencies"))
      now = &kinds[1];
    else if (!line.starts_with(' ') && !line.starts_with('\t'))
      now = nullptr;
    else if (now != nullptr)
      read_block_line(line, *now);
    if (line.starts_with("Iteration") || line.starts_with("average rps:")) end_run(kinds);
  }
  end_run(kinds);
  for (const SchbenchKind& kind : kinds) {
    add_over_all(kind, false, parsed);
    add_over_all(kind, true, parsed);
    add_over_ends(kind, parsed);
  }
}

}  // namespace kilter::suite
