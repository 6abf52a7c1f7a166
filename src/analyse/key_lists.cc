#include "analyse/key_lists.h"

#include "analyse/pattern_set.h"
#include "base/assets.h"
#include "base/text.h"

#include <algorithm>
#include <stdexcept>
#include <unordered_set>

namespace kilter::analyse {
namespace {

// The lines of a list, without comments. The lists are part of the program: a fault in one is a fault of
// ours, found by the unit test that reads them all.
std::vector<std::string_view> entries(std::string_view name) {
  std::vector<std::string_view> kept;
  for (const std::string_view line : lines(asset("lists/" + std::string(name)).value_or("")))
    if (!line.empty() && line[0] != '#') kept.push_back(line);
  return kept;
}

void must_add(PatternSet& set, std::string_view pattern) {
  const Status added = set.add(pattern);
  if (!added) throw std::logic_error(added.error().message);
}

PatternSet read_patterns(std::string_view name, Pattern::Mode mode) {
  PatternSet set(mode);
  for (const std::string_view pattern : entries(name)) must_add(set, pattern);
  return set;
}

// "pattern value" lines.
struct ValuedPatterns {
  PatternSet patterns{Pattern::Mode::full};
  std::vector<model::Number> values;

  [[nodiscard]] std::optional<model::Number> value(std::string_view key) const {
    const std::optional<std::size_t> index = patterns.first(key);
    if (!index) return std::nullopt;
    return values[*index];
  }
};

ValuedPatterns read_valued(std::string_view name) {
  ValuedPatterns list;
  for (const std::string_view line : entries(name)) {
    const std::size_t blank = line.rfind(' ');
    const std::string_view text = line.substr(blank + 1);
    must_add(list.patterns, line.substr(0, blank));
    if (const std::optional<std::int64_t> integer = parse_int(text))
      list.values.emplace_back(*integer);
    else
      list.values.emplace_back(parse_double(text).value_or(0));
  }
  return list;
}

struct Programs {
  std::unordered_set<std::string_view> all;
  std::unordered_set<std::string_view> performance;
};

std::string_view stem(std::string_view path) {
  path.remove_prefix(path.rfind('/') + 1);
  return path.substr(0, path.rfind('.'));
}

Programs read_programs() {
  Programs programs;
  for (const std::string_view line : entries("test-programs.txt")) {
    const std::vector<std::string_view> parts = words(line);
    programs.all.insert(parts[0]);
    if (parts.size() == 1) programs.performance.insert(parts[0]);
  }
  for (const std::string_view path : assets_below("suites/")) {
    programs.all.insert(stem(path));
    programs.performance.insert(stem(path));
  }
  return programs;
}

const Programs& programs() {
  static const Programs kPrograms = read_programs();
  return kPrograms;
}

bool has_metric_prefix(std::string_view key) {
  static const std::vector<std::string_view> kPrefixes = entries("perf-metric-prefixes.txt");
  return std::ranges::any_of(kPrefixes, [&](std::string_view prefix) { return key.starts_with(prefix); });
}

bool is_denied(std::string_view key) {
  static const PatternSet kDenied = read_patterns("stat-denylist.txt", Pattern::Mode::search);
  static const PatternSet kAllowed = read_patterns("stat-allowlist.txt", Pattern::Mode::search);
  return kDenied.matches(key) && !kAllowed.matches(key);
}

std::optional<double> as_double(const std::optional<model::Number>& number) {
  if (!number) return std::nullopt;
  return number->value();
}

}  // namespace

std::string_view base_of(std::string_view key) {
  return key.substr(0, key.find('.'));
}

bool is_function_stat(std::string_view key) {
  static const PatternSet kFailures = read_patterns("failure-stats.txt", Pattern::Mode::start);
  return kFailures.matches(key) && !key.contains(".time.") && !key.contains(".timestamp:") &&
         !key.contains(".bootstage:");
}

bool is_log_stat(std::string_view key) {
  const std::string_view base = base_of(key);
  return base == "dmesg" || base == "kmsg" || base == "last_state" || base == "stderr";
}

bool is_hidden(std::string_view key) {
  static const PatternSet kReported = read_patterns("report-allowlist.txt", Pattern::Mode::search);
  return is_denied(key) && !kReported.matches(key);
}

bool is_bisectable(std::string_view key) {
  return !is_denied(key);
}

bool is_perf_metric(std::string_view key, const Benchmarks& more) {
  static const PatternSet kPatterns = read_patterns("perf-metric-patterns.txt", Pattern::Mode::search);
  const std::string_view base = base_of(key);
  const bool listed = programs().all.contains(base);
  const bool benchmark = listed ? programs().performance.contains(base) : more.contains(base);
  return benchmark || has_metric_prefix(key) || kPatterns.matches(key);
}

std::optional<model::Number> metric_threshold(std::string_view key, bool as_lkp) {
  static const ValuedPatterns kThresholds = read_valued("perf-metric-thresholds.txt");
  if (!as_lkp && key.starts_with("time.")) return kThresholds.value("test." + std::string(key));
  return kThresholds.value(key);
}

bool is_test_program(std::string_view base, const Benchmarks& more) {
  return programs().all.contains(base) || more.contains(base);
}

bool is_kpi_stat(std::string_view key, const Benchmarks& more) {
  const std::string_view base = base_of(key);
  if (base.size() == key.size() || !is_test_program(base, more)) return false;
  const std::string_view rest = key.substr(base.size() + 1);
  return !rest.starts_with("time.") && key != "vm-scalability.stddev" && key != "unixbench.incomplete_result";
}

std::optional<double> throughput_weight(std::string_view key) {
  static const ValuedPatterns kWeights = read_valued("metric-directions.txt");
  return as_double(kWeights.value(key));
}

std::optional<double> latency_weight(std::string_view key) {
  static const ValuedPatterns kWeights = read_valued("latency-directions.txt");
  return as_double(kWeights.value(key));
}

}  // namespace kilter::analyse
