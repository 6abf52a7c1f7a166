#include "base/text.h"
#include "suite/parsers/parsers.h"
#include "suite/parsers/scan.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

// memtier_benchmark, one or more instances in one log. Each prints
//   Type         Ops/sec     Hits/sec   Misses/sec    Avg. Latency     p50 Latency ...       KB/sec
//   Sets        21659.56          ---          ---         1.72237         1.68700 ...     22716.77
// and its latencies, "SET  2.335  90.00": so many percent of the requests took no longer.
namespace kilter::suite {
namespace {

constexpr std::array<double, 4> kMemtierPercents = {90, 95, 99, 99.9};

struct Column {
  std::string name;            // "ops/s"
  std::vector<double> values;  // one per instance
  bool measured = false;       // any instance gave a number
};

struct MemtierKind {
  std::string name;  // "sets"
  std::vector<Column> columns;
};

// The latency at each of kMemtierPercents, of every instance.
struct Latencies {
  std::string name;  // "set"
  std::array<std::vector<double>, kMemtierPercents.size()> at;
  std::size_t next = 0;  // of kMemtierPercents, in this instance
};

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

// "Ops/sec" -> ops/s, "p99.9 Latency" -> p99.9_latency_ms.
std::vector<std::string> column_names(std::string_view header) {
  std::vector<std::string> names;
  const std::vector<std::string_view> parts = words(header);
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const std::string name = lower(parts[i]);
    if (name == "latency")
      names.emplace_back("avg_latency_ms");
    else if (i + 1 < parts.size() && parts[i + 1] == "Latency")
      names.push_back((name == "avg." ? "avg" : name) + "_latency_ms"), ++i;
    else
      names.push_back(replace_all(name, "/sec", "/s"));
  }
  return names;
}

class Reader {
 public:
  void line(std::string_view text) {
    const std::vector<std::string_view> parts = words(text);
    if (parts.size() > 2 && parts[0] == "Type" && parts[1].ends_with("/sec"))
      columns_ = column_names(text);
    else if (!columns_.empty() && parts.size() == columns_.size() + 1 && is_kind(parts[0]))
      row(parts);
    else if (parts.size() == 3 && (parts[0] == "SET" || parts[0] == "GET"))
      share(parts);
  }

  std::vector<MemtierKind> kinds;
  std::vector<Latencies> latencies;

 private:
  static bool is_kind(std::string_view word) {
    return word == "Sets" || word == "Gets" || word == "Waits" || word == "Totals";
  }

  void row(const std::vector<std::string_view>& parts) {
    const std::string name = lower(parts[0]);
    auto kind = std::ranges::find(kinds, name, &MemtierKind::name);
    if (kind == kinds.end()) kind = kinds.insert(kinds.end(), {.name = name, .columns = {}});
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      auto column = std::ranges::find(kind->columns, columns_[i], &Column::name);
      if (column == kind->columns.end())
        column = kind->columns.insert(kind->columns.end(), {.name = columns_[i], .values = {}});
      const std::optional<double> value = parse_double(parts[i + 1]);
      column->values.push_back(value.value_or(0));
      column->measured = column->measured || value;
    }
    // The latencies of this instance follow.
    for (Latencies& one : latencies) one.next = 0;
  }

  void share(const std::vector<std::string_view>& parts) {
    const std::optional<double> limit = parse_double(parts[1]);
    const std::optional<double> percent = parse_double(parts[2]);
    if (!limit || !percent) return;
    const std::string name = lower(parts[0]);
    auto one = std::ranges::find(latencies, name, &Latencies::name);
    if (one == latencies.end()) one = latencies.insert(latencies.end(), {.name = name, .at = {}});
    for (; one->next < kMemtierPercents.size() && *percent >= kMemtierPercents[one->next]; ++one->next)
      one->at[one->next].push_back(*limit);
  }

  std::vector<std::string> columns_;
};

using Summary = double (*)(std::span<const double>);

// LKP prints 0 for "---".
void add(const MemtierKind& kind, const std::string& prefix, Summary summary, ParsedOutput& parsed) {
  for (const Column& column : kind.columns) {
    parsed.add_float(prefix + "_" + kind.name + "_" + column.name, summary(column.values));
    parsed.values.back().measured = column.measured;
  }
}

void add_miss_rate(const MemtierKind& gets, ParsedOutput& parsed) {
  const auto hits = std::ranges::find(gets.columns, "hits/s", &Column::name);
  const auto misses = std::ranges::find(gets.columns, "misses/s", &Column::name);
  if (hits == gets.columns.end() || misses == gets.columns.end()) return;
  const double all = mean(hits->values) + mean(misses->values);
  if (all > 0) parsed.add_float("gets_miss_rate_%", mean(misses->values) / all * 100);
}

}  // namespace

void parse_memtier(const RawOutput& output, ParsedOutput& parsed) {
  Reader reader;
  for (const std::string_view line : lines(output.text)) reader.line(line);
  for (const MemtierKind& kind : reader.kinds) add(kind, "total", sum, parsed);
  for (const MemtierKind& kind : reader.kinds) {
    add(kind, "avg", mean, parsed);
    if (kind.name == "gets") add_miss_rate(kind, parsed);
  }
  for (const Latencies& one : reader.latencies)
    for (std::size_t i = 0; i < kMemtierPercents.size(); ++i)
      if (!one.at[i].empty())
        parsed.add_float(one.name + "_latency_" + number_text(kMemtierPercents[i]) + "%_ms",
                         rounded(mean(one.at[i]), 2));
}

const std::vector<MetricRule>& memtier_rules() {
  using enum model::Direction;
  static const std::vector<MetricRule> kRules = {{"total_totals_ops/s", {"ops/s", higher_better, true}},
                                                 {"*_ops/s", {"ops/s", higher_better, false}},
                                                 {"*_latency_*ms", {"ms", lower_better, false}},
                                                 {"*_kb/s", {"KB/s", higher_better, false}},
                                                 {"gets_miss_rate_%", {"%", unknown, false}}};
  return kRules;
}

}  // namespace kilter::suite
