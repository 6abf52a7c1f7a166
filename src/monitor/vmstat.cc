#include "base/civil_time.h"
#include "base/text.h"
#include "monitor/all.h"
#include "monitor/intervals.h"
#include "monitor/proc_stat.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <iterator>

// vmstat in procps' form, computed from /proc/stat, /proc/meminfo and /proc/vmstat. There is no line of means
// since boot, rates are over the time that passed, and CPU percentages keep two decimals.
namespace kilter::monitor {
namespace {

constexpr std::string_view kHead =
    "procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu----- -----timestamp-----\n"
    " r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st gu                 "
    "UTC\n";

struct VmMoment {
  double time = 0;
  double monotonic = 0;
  ProcStat stat;
  std::int64_t swapped = 0;
  std::int64_t free = 0;
  std::int64_t buffers = 0;
  std::int64_t cache = 0;
  std::int64_t swap_in = 0;  // pages since boot
  std::int64_t swap_out = 0;
  std::int64_t block_in = 0;  // KiB since boot
  std::int64_t block_out = 0;
};

VmMoment read_moment(const Sample& sample) {
  const std::string_view memory = sample.data[1];
  const std::string_view counters = sample.data[2];
  VmMoment moment{.time = sample.time, .monotonic = sample.monotonic, .stat = read_proc_stat(sample.data[0])};
  moment.swapped = value_of(memory, "SwapTotal:") - value_of(memory, "SwapFree:");
  moment.free = value_of(memory, "MemFree:");
  moment.buffers = value_of(memory, "Buffers:");
  moment.cache = value_of(memory, "Cached:") + value_of(memory, "SReclaimable:");
  moment.swap_in = value_of(counters, "pswpin");
  moment.swap_out = value_of(counters, "pswpout");
  moment.block_in = value_of(counters, "pgpgin");
  moment.block_out = value_of(counters, "pgpgout");
  return moment;
}

// Percent of the ticks that passed: us sy id wa st gu.
struct CpuShares {
  double user = 0, system = 0, idle = 0, wait = 0, steal = 0, guest = 0;
};

CpuShares shares(const ProcStat& before, const ProcStat& after) {
  if (before.cpus.empty() || after.cpus.empty()) return {};
  double passed[10];
  double total = 0;
  for (int i = 0; i < 10; ++i) {
    passed[i] = static_cast<double>(
        std::max<std::int64_t>(after.cpus[0].ticks[i] - before.cpus[0].ticks[i], 0));  // iowait can go back
    if (i <= kSteal) total += passed[i];
  }
  const double percent = total > 0 ? 100 / total : 0;
  const double guest = passed[kGuest] + passed[kGuestNice];  // counted in user and nice too
  return {.user = std::max(passed[kUser] + passed[kNice] - guest, 0.0) * percent,
          .system = (passed[kSystem] + passed[kIrq] + passed[kSoftirq]) * percent,
          .idle = passed[kIdle] * percent,
          .wait = passed[kIowait] * percent,
          .steal = passed[kSteal] * percent,
          .guest = guest * percent};
}

class VmstatWriter final : public Writer {
 public:
  explicit VmstatWriter(int page_kb) : page_kb_(page_kb) {}

  void add(const Sample& sample, std::string& out) override {
    if (out.empty() && !started_) out += kHead;
    started_ = true;
    if (std::ranges::any_of(sample.data, [](std::string_view data) { return data.data() == nullptr; }))
      return;
    intervals_.add(read_moment(sample), [&](const VmMoment& a, const VmMoment& b) { print(a, b, out); });
  }

  void finish(std::string& out) override {
    intervals_.finish([&](const VmMoment& a, const VmMoment& b) { print(a, b, out); });
  }

 private:
  void print(const VmMoment& before, const VmMoment& after, std::string& out) const {
    const double seconds = std::max(after.monotonic - before.monotonic, 1e-3);
    const auto rate = [seconds](std::int64_t a, std::int64_t b, double scale = 1) {
      return std::llround(static_cast<double>(std::max<std::int64_t>(b - a, 0)) * scale / seconds);
    };
    // The sampler runs while it reads.
    const std::int64_t running = std::max<std::int64_t>(after.stat.running - 1, 0);
    fmt::format_to(
        std::back_inserter(out), "{:2} {:2} {:6} {:6} {:6} {:6} {:4} {:4} {:5} {:5} {:4} {:4}", running,
        after.stat.blocked, after.swapped, after.free, after.buffers, after.cache,
        rate(before.swap_in, after.swap_in, page_kb_), rate(before.swap_out, after.swap_out, page_kb_),
        rate(before.block_in, after.block_in), rate(before.block_out, after.block_out),
        rate(before.stat.interrupts, after.stat.interrupts), rate(before.stat.switches, after.stat.switches));
    const CpuShares cpu = shares(before.stat, after.stat);
    fmt::format_to(std::back_inserter(out), " {:.2f} {:.2f} {:.2f} {:.2f} {:.2f} {:.2f} {} {}\n", cpu.user,
                   cpu.system, cpu.idle, cpu.wait, cpu.steal, cpu.guest, utc_date(after.time),
                   utc_clock(after.time));
  }

  int page_kb_;
  bool started_ = false;
  Intervals<VmMoment> intervals_;
};

struct Column {
  std::string_view name;
  std::string_view group;
};
constexpr Column kColumns[] = {
    {"r", "procs"},      {"b", "procs"},      {"swpd", "memory"},   {"free", "memory"}, {"buff", "memory"},
    {"cache", "memory"}, {"inact", "memory"}, {"active", "memory"}, {"si", "swap"},     {"so", "swap"},
    {"bi", "io"},        {"bo", "io"},        {"in", "system"},     {"cs", "system"},   {"us", "cpu"},
    {"sy", "cpu"},       {"id", "cpu"},       {"wa", "cpu"},        {"st", "cpu"},      {"gu", "cpu"}};

std::vector<std::string> keys_of_head(const std::vector<std::string_view>& names) {
  std::vector<std::string> keys;
  for (const std::string_view name : names) {
    const Column* column = std::ranges::find(kColumns, name, &Column::name);
    if (column == std::end(kColumns)) break;
    keys.push_back(fmt::format("{}.{}", column->group, name));
  }
  return keys;
}

}  // namespace

Sources vmstat_sources(const os::Root& root) {
  return fixed_sources(root, {"/proc/stat", "/proc/meminfo", "/proc/vmstat"});
}

WriterPtr vmstat_writer(const WriterContext& context) {
  return std::make_unique<VmstatWriter>(context.page_kb);
}

void parse_vmstat(std::string_view raw, std::string& out) {
  std::vector<std::string> keys;
  for (const std::string_view line : lines(raw)) {
    const std::vector<std::string_view> fields = words(line);
    if (fields.size() > 2 && fields[0] == "r") keys = keys_of_head(fields);
    if (keys.empty() || fields.size() < keys.size() || !parse_int(fields[0])) continue;
    if (fields.size() >= keys.size() + 2) {
      const std::optional<std::int64_t> time = utc_seconds(fields[keys.size()], fields[keys.size() + 1]);
      if (time) append_line("time", *time, out);
    }
    for (std::size_t i = 0; i < keys.size(); ++i) append_line(keys[i], fields[i], out);
  }
}

}  // namespace kilter::monitor
