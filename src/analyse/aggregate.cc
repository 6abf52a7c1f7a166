#include "analyse/aggregate.h"

#include "base/text.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace kilter::analyse {
namespace {

using model::Metric;
using model::Metrics;
using model::Number;
using model::Series;
using model::SeriesFile;

constexpr std::string_view kEventCounters[] = {"cpuidle.",
                                               "diskstats.io_ticks.",
                                               "diskstats.read_ios.",
                                               "diskstats.read_merges.",
                                               "diskstats.read_sectors.",
                                               "diskstats.read_ticks.",
                                               "diskstats.write_ios.",
                                               "diskstats.write_merges.",
                                               "diskstats.write_sectors.",
                                               "diskstats.write_ticks.",
                                               "energy.",
                                               "ethtool.",
                                               "interrupts.",
                                               "numa-numastat.",
                                               "numa-vmstat.nr_dirtied",
                                               "numa-vmstat.nr_vmscan_immediate_reclaim",
                                               "numa-vmstat.nr_written",
                                               "numa-vmstat.numa_",
                                               "pmu-numa.total_moved",
                                               "proc-vmstat.allocstall",
                                               "proc-vmstat.compact_",
                                               "proc-vmstat.htlb_buddy_alloc_",
                                               "proc-vmstat.kswapd_",
                                               "proc-vmstat.nr_dirtied",
                                               "proc-vmstat.nr_promoted",
                                               "proc-vmstat.nr_promote_fail",
                                               "proc-vmstat.nr_promote_isolate_fail",
                                               "proc-vmstat.nr_promote_ratelimit",
                                               "proc-vmstat.nr_vmscan_immediate_reclaim",
                                               "proc-vmstat.nr_written",
                                               "proc-vmstat.numa_",
                                               "proc-vmstat.pageoutrun",
                                               "proc-vmstat.pg",
                                               "proc-vmstat.pswp",
                                               "proc-vmstat.slabs_scanned",
                                               "proc-vmstat.thp_",
                                               "proc-vmstat.unevictable_pgs_",
                                               "proc-vmstat.zone_reclaim_failed",
                                               "softirq."};
// Counters that LKP's list lacks: a misspelt name, fields of newer kernels.
constexpr std::string_view kMoreEventCounters[] = {"softirqs.", "diskstats.discard_", "diskstats.flush_",
                                                   "diskstats.time_in_queue."};
// The like in /proc/vmstat and its copies by node: after "proc-vmstat." or "numa-vmstat.node<N>.".
constexpr std::string_view kMoreMemoryCounters[] = {"workingset_refault",
                                                    "workingset_activate",
                                                    "workingset_restore",
                                                    "workingset_nodereclaim",
                                                    "nr_vmscan_write",
                                                    "nr_throttled_written",
                                                    "nr_foll_pin_",
                                                    "nr_tlb_",
                                                    "zone_reclaim_success",
                                                    "drop_",
                                                    "oom_kill",
                                                    "balloon_",
                                                    "swap_ra",
                                                    "swpin_zero",
                                                    "swpout_zero",
                                                    "ksm_swpin_copy",
                                                    "cow_ksm",
                                                    "zswpin",
                                                    "zswpout",
                                                    "zswpwb",
                                                    "direct_map_level",
                                                    "vma_lock_"};
// After "numa-vmstat.node<N>.".
constexpr std::string_view kNodeEventCounters[] = {"nr_dirtied", "nr_vmscan_immediate_reclaim", "nr_written",
                                                   "numa_", "pg"};
constexpr std::string_view kIndependentCounters[] = {"perf-stat.overall.", "perf-stat.ps.",
                                                     "perf-stat.total.", "pmu-tools."};
// After "time.".
constexpr std::string_view kTimeCounters[] = {"file_system_inputs",
                                              "file_system_outputs",
                                              "involuntary_context_switches",
                                              "major_page_faults",
                                              "minor_page_faults",
                                              "percent_of_cpu_this_job_got",
                                              "socket_messages_received",
                                              "socket_messages_sent",
                                              "swaps",
                                              "system_time",
                                              "user_time",
                                              "voluntary_context_switches"};
constexpr std::string_view kIgnorePart[] = {"perf-stat.overall.", "perf-stat.ps.", "perf-stat.total."};
constexpr std::string_view kLatencyColumns[] = {"await", "r_await", "w_await", "svctm", "avgqu-sz"};
// Printed once at the end, multiplied by the number of records.
constexpr std::string_view kMultiplied = "mpstat.max_utilization";

bool starts_with_any(std::string_view text, std::span<const std::string_view> starts) {
  return std::ranges::any_of(starts, [text](std::string_view start) { return text.starts_with(start); });
}

bool all_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// "numa-vmstat.node0.numa_hit" -> "numa_hit"; "" for other keys.
std::string_view of_node(std::string_view key) {
  constexpr std::string_view kStart = "numa-vmstat.node";
  const std::size_t at = key.find(kStart);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = key.substr(at + kStart.size());
  const std::size_t dot = rest.find('.');
  if (dot == std::string_view::npos || !all_digits(rest.substr(0, dot))) return {};
  return rest.substr(dot + 1);
}

bool is_overlooked_counter(std::string_view key) {
  constexpr std::string_view kMemory = "proc-vmstat.";
  const std::string_view memory = key.starts_with(kMemory) ? key.substr(kMemory.size()) : of_node(key);
  return starts_with_any(key, kMoreEventCounters) || starts_with_any(memory, kMoreMemoryCounters);
}

bool is_independent(std::string_view key, bool as_lkp) {
  if (starts_with_any(key, kIndependentCounters)) return true;
  constexpr std::string_view kTime = "time.";
  if (key.starts_with(kTime)) return starts_with_any(key.substr(kTime.size()), kTimeCounters);
  const std::size_t at = key.find(".time.");
  return !as_lkp && at != std::string_view::npos &&
         starts_with_any(key.substr(at + 1 + kTime.size()), kTimeCounters);
}

struct Window {
  std::size_t begin = 0;
  std::size_t end = 0;  // one behind the last
};

class Aggregator {
 public:
  explicit Aggregator(const AggregateOptions& options) : options_(options) {}

  void file(const SeriesFile& file) {
    longest_ = 0;
    for (const Series& series : file.series) longest_ = std::max(longest_, series.values.size());
    const Window window = window_of(file);
    const std::string time = file.name + ".time";
    for (const Series& series : file.series)
      if (series.key != time && !series.values.empty() && !leaves_out(series.key)) add(series, window);
  }

  Metrics finish() {
    path_length();
    if (!options_.as_lkp) std::ranges::sort(metrics_, {}, &Metric::key);
    return std::move(metrics_);
  }

 private:
  // Per-CPU values of sched_debug: "sched_debug.cpu.nr_running.17".
  [[nodiscard]] bool leaves_out(std::string_view key) const {
    return !options_.as_lkp && key.starts_with("sched_debug.") && all_digits(key.substr(key.rfind('.') + 1));
  }

  [[nodiscard]] Window window_of(const SeriesFile& file) const {
    Window window{.begin = 0, .end = longest_};
    if (!options_.part_begin && !options_.part_end) return window;
    const std::string key = file.name + ".time";
    const auto time = std::ranges::find(file.series, key, &Series::key);
    if (time == file.series.end() || time->values.size() <= 2) return window;
    const double first = time->values.front().value();
    const double origin = first > 2 ? first : 0;
    const auto index_at = [&](double seconds, std::size_t otherwise) {
      const auto it = std::ranges::find_if(
          time->values, [&](const Number& value) { return value.value() - origin >= seconds; });
      return it == time->values.end() ? otherwise : static_cast<std::size_t>(it - time->values.begin());
    };
    if (options_.part_begin) window.begin = index_at(*options_.part_begin, 0);
    if (options_.part_end) window.end = index_at(*options_.part_end, longest_);
    return window;
  }

  void add(const Series& series, const Window& window) {
    const bool whole = starts_with_any(series.key, kIgnorePart);
    const std::size_t begin = whole ? 0 : std::min(window.begin, series.values.size());
    const std::size_t end =
        whole ? series.values.size() : std::clamp(window.end, begin, series.values.size());
    if (begin == end) return;
    const std::span<const Number> part = std::span(series.values).subspan(begin, end - begin);
    const std::size_t length = whole ? longest_ : window.end - window.begin;
    const bool exact = options_.as_lkp || series.gaps.empty() || series.key.starts_with(kMultiplied);
    const std::vector<Number> recorded = exact ? std::vector<Number>() : without_gaps(series, begin, end);
    if (!exact && recorded.empty()) return;
    reduce(series.key, exact ? part : recorded, length);
  }

  static std::vector<Number> without_gaps(const Series& series, std::size_t begin, std::size_t end) {
    std::vector<Number> recorded;
    for (std::size_t i = begin; i < end; ++i)
      if (!std::ranges::binary_search(series.gaps, static_cast<std::uint32_t>(i)))
        recorded.push_back(series.values[i]);
    return recorded;
  }

  void reduce(const std::string& key, std::span<const Number> values, std::size_t window_length) {
    const Kind kind = kind_of(key, options_.as_lkp);
    const bool own_length = !options_.as_lkp && !key.starts_with(kMultiplied);
    const std::size_t length = own_length ? values.size() : window_length;
    // One reading of a counter tells nothing of the run; LKP gives the reading.
    if (values.size() == 1 && kind == Kind::event_counter && !options_.as_lkp) return;
    if (values.size() == 1) {
      put(key, values.front());
    } else if (kind == Kind::independent_counter) {
      put(key, sum(values));
    } else if (kind == Kind::event_counter) {
      put(key, difference(values.back(), values.front()));
    } else {
      put(key, Number(sum(values).value() / static_cast<double>(length)));
    }
    if (adds_maximum(key)) put(key + ".max", *std::ranges::max_element(values, {}, &Number::value));
  }

  static Number difference(const Number& last, const Number& first) {
    if (last.is_integer() && first.is_integer()) return Number(last.integer() - first.integer());
    return Number(last.value() - first.value());
  }

  // Integers stay integers; reals are summed with compensation, as Ruby does.
  static Number sum(std::span<const Number> values) {
    if (std::ranges::all_of(values, &Number::is_integer)) {
      std::int64_t total = 0;
      bool overflow = false;
      for (const Number& value : values) overflow |= __builtin_add_overflow(total, value.integer(), &total);
      if (!overflow) return Number(total);
    }
    double total = 0;
    double lost = 0;
    for (const Number& value : values) {
      const double next = total + value.value();
      lost += std::abs(total) >= std::abs(value.value()) ? (total - next) + value.value()
                                                         : (value.value() - next) + total;
      total = next;
    }
    return Number(total + lost);
  }

  void put(const std::string& key, Number value) {
    const auto [it, inserted] = index_.try_emplace(key, metrics_.size());
    if (inserted) {
      metrics_.push_back({.key = key, .value = value});
    } else {
      metrics_[it->second].value = value;
    }
  }

  [[nodiscard]] const Number* find(const std::string& key) const {
    const auto it = index_.find(key);
    return it == index_.end() ? nullptr : &metrics_[it->second].value;
  }

  // Instructions of one operation, where one test says how many it did.
  void path_length() {
    const Number* instructions = find("perf-stat.total.instructions");
    const auto is_workload = [](const Metric& metric) { return metric.key.ends_with(".workload"); };
    if (instructions == nullptr || std::ranges::count_if(metrics_, is_workload) != 1) return;
    const double operations = std::ranges::find_if(metrics_, is_workload)->value.value();
    if (operations > 0) put("perf-stat.overall.path-length", Number(instructions->value() / operations));
  }

  const AggregateOptions& options_;
  Metrics metrics_;
  std::unordered_map<std::string, std::size_t> index_;
  std::size_t longest_ = 0;
};

}  // namespace

Kind kind_of(std::string_view key, bool as_lkp) {
  if (is_independent(key, as_lkp)) return Kind::independent_counter;
  if (starts_with_any(key, kEventCounters) || starts_with_any(of_node(key), kNodeEventCounters))
    return Kind::event_counter;
  return !as_lkp && is_overlooked_counter(key) ? Kind::event_counter : Kind::mean;
}

bool adds_maximum(std::string_view key) {
  if (key.ends_with("time.elapsed_time")) return true;
  constexpr std::string_view kNode = "numa-meminfo.node";
  if (key.starts_with(kNode) && key.size() > kNode.size())
    return all_digits(key.substr(kNode.size(), 1)) && key.substr(kNode.size() + 1) == ".AnonPages";
  if (!key.starts_with("iostat.")) return false;
  return std::ranges::find(kLatencyColumns, key.substr(key.rfind('.') + 1)) != std::end(kLatencyColumns);
}

model::Metrics aggregate(std::span<const SeriesFile> files, const AggregateOptions& options) {
  Aggregator aggregator(options);
  for (const SeriesFile& file : files) aggregator.file(file);
  return aggregator.finish();
}

}  // namespace kilter::analyse
