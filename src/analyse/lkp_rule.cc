#include "analyse/lkp_rule.h"

#include "analyse/key_lists.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace kilter::analyse {
namespace {

constexpr double kNoData = -1;
constexpr std::size_t kMostMargin = 3;
constexpr std::size_t kRunsForVariance = 10;
constexpr double kLargestRatio = 5;
constexpr double kSmallestRatio = 1.01;
constexpr double kSmallestOtherRatio = 1.05;

double spread(const LkpSummary& side) {
  return side.max - side.min;
}

bool is_forced(std::string_view key, const LkpRuleOptions& options) {
  return options.forced.find(key) != options.forced.end();
}

bool is_memory_stat(std::string_view key) {
  static constexpr std::array<std::string_view, 7> kPrograms = {
      "boot-meminfo", "boot-memory", "proc-vmstat", "numa-vmstat", "meminfo", "memmap", "numa-meminfo"};
  return std::ranges::find(kPrograms, base_of(key)) != kPrograms.end();
}

// A verdict row needs its counterpart in the base: fail next to pass, pass next to any of the failures.
bool has_counterpart(std::string_view key, const LkpPair& pair) {
  const std::size_t dot = key.rfind('.');
  if (dot == std::string_view::npos) return true;
  const std::string stem(key.substr(0, dot + 1));
  const std::string_view verdict = key.substr(dot + 1);
  if (verdict == "pass")
    return pair.base_has(stem + "fail") || pair.base_has(stem + "error") || pair.base_has(stem + "warn");
  if (verdict.starts_with("fail") || verdict.starts_with("error") || verdict.starts_with("warn"))
    return pair.base_has(stem + "pass");
  return true;
}

bool is_measured_enough(std::string_view key, const LkpSide& a, const LkpSide& b, const LkpPair& pair,
                        const LkpRuleOptions& options) {
  if (a.samples.size() < kEnoughRuns && b.samples.size() < kEnoughRuns && !options.whole) return false;
  if (options.variance && (a.samples.size() < kRunsForVariance || b.samples.size() < kRunsForVariance))
    return false;
  if (pair.tbox_group.starts_with("vh-")) return false;
  if (pair.tbox_group.starts_with("vm-") && is_memory_stat(key) && !options.perf_test_vm) return false;
  if (b.present) return true;
  const std::string_view program = base_of(key);
  return (program == "lock_stat" || program == "perf-profile") && pair.base_has_program(program);
}

double gap_between(const LkpSummary& a, const LkpSummary& b) {
  return std::max(a.min - b.max, b.min - a.max);
}

bool differs_in_variance(const LkpSummary& a, const LkpSummary& b, double factor) {
  const double left = spread(a) * b.median.value();
  const double right = spread(b) * a.median.value();
  return left > factor * right || right > factor * left;
}

bool differs_by_gap(const LkpSummary& a, const LkpSummary& b, double factor) {
  const double difference = b.median.value() - a.median.value();
  return (b.min > a.max && b.min - a.max > difference * factor) ||
         (a.min > b.max && a.min - b.max > -difference * factor);
}

bool differs_by_distance(const LkpSummary& a, const LkpSummary& b, const LkpRuleOptions& options) {
  const double gap = gap_between(a, b);
  if (a.integers && b.integers && gap == 1) return false;
  if (a.n < kEnoughRuns || b.n < kEnoughRuns) return gap > std::max(spread(a), spread(b)) * *options.distance;
  return gap > 0 && gap > std::abs(b.median.value() - a.median.value()) / options.gap_distance;
}

bool medians_outside(const LkpSummary& a, const LkpSummary& b) {
  const double a_median = a.median.value();
  const double b_median = b.median.value();
  return (b.min > a_median && b_median > a.max) || (a.min > b_median && a_median > b.max);
}

// Where no threshold names the key, its program has one.
bool is_reasonable_for_program(std::string_view key, double delta, double max) {
  const std::string_view program = base_of(key);
  if (program == "iostat") return max > 1;
  if (program == "pagetypeinfo" || program == "buddyinfo" || program == "slabinfo") return delta > 100;
  if (key.starts_with("proc-vmstat") || key.contains("meminfo")) return max > 1000;
  if (program == "lock_stat") return delta > (key.contains("time") ? 1000 : 10000);
  if (key.starts_with("interrupts") || key.starts_with("softirqs")) return max > 10000;
  return true;
}

LkpChange measure(const LkpSummary& a, const LkpSummary& b) {
  const double high = std::max(a.median.value(), b.median.value());
  const double low = std::min(a.median.value(), b.median.value());
  const bool few_a = a.n < kEnoughRuns && spread(a) < spread(b);
  return {.a = a,
          .b = b,
          .ratio = low <= 0 ? kLargestRatio : std::min(high / low, kLargestRatio),
          .delta = high - low,
          .x = few_a ? spread(b) : spread(a),
          .y = std::max(0.0, gap_between(a, b)),
          .z = spread(b),
          .max = std::max(a.max, b.max)};
}

}  // namespace

bool lkp_is_wanted(std::string_view key, const LkpRuleOptions& options) {
  if (options.kpi_only && !is_kpi_stat(key, options.benchmarks)) return false;
  if (options.perf_only && !is_perf_metric(key, options.benchmarks)) return false;
  return options.more || !is_hidden(key);
}

bool lkp_is_reasonable(std::string_view key, double delta, double max, const LkpRuleOptions& options) {
  const std::optional<model::Number> threshold = metric_threshold(key, options.as_lkp);
  if (!threshold) return is_reasonable_for_program(key, delta, max);
  if (max < threshold->value()) return false;
  const std::int64_t half = threshold->integer() / 2;  // whole, as LKP has it
  return !threshold->is_integer() || delta >= static_cast<double>(half);
}

LkpKey::LkpKey(std::string_view key)
    : text(key), function(is_function_stat(key)), profile(key.starts_with("perf-profile.")) {}

std::string LkpChange::interval() const {
  return fmt::format("[ {:<10.5g} - {:<10.5g} ] -- [ {:<10.5g} - {:<10.5g} ]", a.min, a.max, b.min, b.max);
}

std::optional<LkpSummary> lkp_summary(std::span<const model::Number> samples, std::size_t most_margin) {
  thread_local std::vector<model::Number> sorted;
  sorted.assign(samples.begin(), samples.end());
  std::erase_if(sorted, [](const model::Number& sample) { return !std::isfinite(sample.value()); });
  std::ranges::sort(sorted,
                    [](const model::Number& x, const model::Number& y) { return x.value() < y.value(); });
  const std::size_t margin = std::min(samples.size() / 32, most_margin);
  std::size_t begin = 0;
  while (begin < sorted.size() && sorted[begin].value() == kNoData) ++begin;
  if (sorted.size() - begin <= 2 * margin) return std::nullopt;
  const std::span<const model::Number> kept(sorted.begin() + static_cast<std::ptrdiff_t>(begin + margin),
                                            sorted.end() - static_cast<std::ptrdiff_t>(margin));
  return LkpSummary{.n = samples.size(),
                    .median = kept[kept.size() / 2],
                    .min = kept.front().value(),
                    .max = kept.back().value(),
                    .integers = std::ranges::all_of(kept, &model::Number::is_integer)};
}

bool lkp_considers(const LkpKey& key, const LkpSide& a, const LkpSide& b, const LkpPair& pair,
                   const LkpRuleOptions& options) {
  if (is_forced(key.text, options)) return true;
  if (!lkp_is_wanted(key.text, options)) return false;
  if (key.function) return is_log_stat(key.text) || has_counterpart(key.text, pair);
  return is_measured_enough(key.text, a, b, pair, options);
}

bool lkp_differs(const LkpKey& key, const LkpChange& change, const LkpRuleOptions& options) {
  const LkpSummary& a = change.a;
  const LkpSummary& b = change.b;
  const std::optional<model::Number>& threshold = options.perf_profile_threshold;
  if (threshold && key.profile && threshold->is_integer() == a.median.is_integer())
    return a.median.value() > threshold->value() || b.median.value() > threshold->value();
  if (key.function) return a.max != b.max;
  if (options.variance) return differs_in_variance(a, b, *options.variance);
  if (options.gap) return differs_by_gap(a, b, *options.gap);
  if (options.distance) return differs_by_distance(a, b, options);
  return medians_outside(a, b);
}

bool lkp_is_large(const LkpKey& key, const LkpChange& change, const LkpRuleOptions& options) {
  if (is_forced(key.text, options)) return true;
  if (key.profile && options.perf_profile_threshold) return true;
  if (!(change.ratio > kSmallestRatio)) return false;
  if (change.ratio <= kSmallestOtherRatio && !is_perf_metric(key.text, options.benchmarks)) return false;
  return lkp_is_reasonable(key.text, change.delta, change.max, options);
}

std::optional<LkpChange> lkp_change(const LkpKey& key, const LkpSide& a, const LkpSide& b,
                                    const LkpPair& pair, const LkpRuleOptions& options) {
  const std::size_t most = key.function ? 0 : kMostMargin;
  const std::size_t kept_a = std::min(a.samples.size(), options.resize.value_or(a.samples.size()));
  const std::optional<LkpSummary> summary_a = lkp_summary(
      a.samples.first(kept_a), b.samples.size() <= kEnoughRuns ? std::min<std::size_t>(most, 1) : most);
  const std::optional<LkpSummary> summary_b = lkp_summary(b.samples, most);
  if (!summary_a || !summary_b) return std::nullopt;
  const LkpChange change = measure(*summary_a, *summary_b);
  // The cheap question first: most metrics have not changed.
  if (!lkp_differs(key, change, options) || !lkp_considers(key, a, b, pair, options) ||
      !lkp_is_large(key, change, options))
    return std::nullopt;
  return change;
}

}  // namespace kilter::analyse
