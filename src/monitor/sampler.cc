#include "monitor/sampler.h"

#include "monitor/recording.h"
#include "monitor/registry.h"
#include "monitor/sample_log.h"
#include "os/clock.h"
#include "os/interrupt.h"
#include "os/self.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>

namespace kilter::monitor {
namespace {

constexpr double kTogether = 0.002;  // monitors due within this time share one tick
constexpr double kLongestRun = 1e8;  // seconds a timer can be set ahead, where no monitor is a loop
constexpr double kNever = std::numeric_limits<double>::infinity();

struct File {
  os::Path path;
  os::RereadFile::Kind kind = os::RereadFile::Kind::whole;
  std::optional<os::RereadFile> kept;  // open for the whole run
  bool faulty = false;                 // already reported
  double cost = 0;                     // CPU seconds of a reading, estimated
};

enum class Tick { first, regular, last };

class Sampler {
 public:
  explicit Sampler(const SamplerSpec& spec)
      : spec_(spec), root_(spec.root), log_path_(spec.directory / "sampler.log"), log_(log_path_) {}

  void open();
  Result<SamplerReport> run(const std::function<void()>& ready);

 private:
  Status open_monitor(const SampledMonitor& wanted);
  Result<std::uint16_t> open_file(const Source& source, const Monitor& monitor);
  [[nodiscard]] std::vector<std::uint16_t> due(Tick tick, double now) const;
  void sample(Tick tick, double now);
  void read_file(std::uint16_t index);
  void fault(const std::string& name, const std::string& reason) {
    report_.faults.push_back({.name = name, .reason = reason});
  }
  [[nodiscard]] double affordable_interval(const ActiveMonitor& active) const;
  void schedule(double now);
  Status write_results();

  const SamplerSpec& spec_;
  os::Root root_;
  os::Path log_path_;
  LogWriter log_;
  std::vector<ActiveMonitor> monitors_;
  std::vector<File> files_;
  std::vector<char> scratch_;
  std::vector<std::uint16_t> tick_files_;
  bool log_failed_ = false;
  SamplerReport report_;
};

void Sampler::open() {
  for (const SampledMonitor& wanted : spec_.monitors) {
    const Status opened = open_monitor(wanted);
    if (!opened) report_.unavailable.push_back({.name = wanted.name, .reason = opened.error().message});
  }
}

Status Sampler::open_monitor(const SampledMonitor& wanted) {
  const Monitor* monitor = find_monitor(wanted.name);
  if (monitor == nullptr || monitor->sources == nullptr) return failure("kilter has no such monitor");
  if (std::ranges::any_of(monitors_, [&](const ActiveMonitor& other) { return other.monitor == monitor; }))
    return {};
  ActiveMonitor active{.monitor = monitor, .options = wanted.options};
  ASSIGN_OR_RETURN(active.interval, interval_of(*monitor, wanted.options));
  active.fixed_interval = active.interval != monitor->interval;
  ASSIGN_OR_RETURN(active.sources, monitor->sources(root_));
  for (const Source& source : active.sources) {
    ASSIGN_OR_RETURN(const std::uint16_t file, open_file(source, *monitor));
    active.files.push_back(file);
  }
  monitors_.push_back(std::move(active));
  return {};
}

Result<std::uint16_t> Sampler::open_file(const Source& source, const Monitor& monitor) {
  const bool keep = monitor.style == Style::loop || monitor.style == Style::follow;
  const os::Path path = root_.at(source.path);
  auto file = std::ranges::find(files_, path, &File::path);
  if (file == files_.end()) {
    if (files_.size() == std::numeric_limits<std::uint16_t>::max()) return failure("too many files");
    file = files_.insert(files_.end(), File{.path = path});
    if (monitor.style == Style::follow) file->kind = os::RereadFile::Kind::messages;
  }
  if (keep && !file->kept) {
    Result<os::RereadFile> opened = os::RereadFile::open(path, file->kind);
    if (!opened) return fail(std::move(opened).error());
    file->kept = std::move(*opened);
  }
  return static_cast<std::uint16_t>(file - files_.begin());
}

std::vector<std::uint16_t> Sampler::due(Tick tick, double now) const {
  std::vector<std::uint16_t> indices;
  for (std::size_t i = 0; i < monitors_.size(); ++i) {
    const Style style = monitors_[i].monitor->style;
    const bool wanted = (tick == Tick::first && style != Style::end) || tick == Tick::last ||
                        (tick == Tick::regular && monitors_[i].next <= now + kTogether);
    if (wanted) indices.push_back(static_cast<std::uint16_t>(i));
  }
  return indices;
}

void Sampler::read_file(std::uint16_t index) {
  File& file = files_[index];
  const auto read = [&]() -> Result<std::string_view> {
    if (file.kept) return file.kept->read(scratch_);
    ASSIGN_OR_RETURN(os::RereadFile opened, os::RereadFile::open(file.path, file.kind));
    return opened.read(scratch_);
  };
  const double before = os::thread_cpu_seconds();
  const Result<std::string_view> bytes = read();
  const double cost = os::thread_cpu_seconds() - before;
  // What interrupts and cold caches add now and then is not the file's cost.
  file.cost = file.cost == 0 ? cost : std::min(cost, file.cost * 1.5);
  if (bytes) {
    log_.add_file(index, *bytes);
  } else if (!std::exchange(file.faulty, true)) {
    fault(file.path.string(), bytes.error().message);
  }
}

void Sampler::sample(Tick tick, double now) {
  if (log_failed_) return;
  const std::vector<std::uint16_t> monitors = due(tick, now);
  tick_files_.clear();
  for (const std::uint16_t monitor : monitors)
    for (const std::uint16_t file : monitors_[monitor].files)
      if (std::ranges::find(tick_files_, file) == tick_files_.end()) tick_files_.push_back(file);
  log_.begin_tick(os::system_clock().wall(), os::system_clock().monotonic(), monitors);
  for (const std::uint16_t file : tick_files_) read_file(file);
  const Status written = log_.end_tick();
  log_failed_ = !written;
  if (log_failed_) fault("sampler.log", written.error().message);
  ++report_.samples;
}

// The interval that keeps a monitor within its budget: some files take the kernel milliseconds to make
// (pagetypeinfo walks all free lists).
double Sampler::affordable_interval(const ActiveMonitor& active) const {
  if (active.fixed_interval) return active.interval;
  double cost = 0;
  for (const std::uint16_t file : active.files) cost += files_[file].cost;
  return active.interval * std::max(1.0, std::ceil(cost / spec_.budget / active.interval));
}

// The next tick of each monitor; moments that have gone by are left out.
void Sampler::schedule(double now) {
  for (ActiveMonitor& active : monitors_) {
    const Style style = active.monitor->style;
    if (style != Style::loop && style != Style::follow) active.next = kNever;
    if (active.next > now + kTogether) continue;
    if (now - active.next > active.interval / 2) ++report_.late;
    const double interval = affordable_interval(active);
    active.longest_interval = std::max(active.longest_interval, interval);
    while (active.next <= now + kTogether) active.next += interval;
  }
}

Result<SamplerReport> Sampler::run(const std::function<void()>& ready) {
  ASSIGN_OR_RETURN(os::Alarm alarm, os::Alarm::create());
  const double start = os::system_clock().monotonic();
  sample(Tick::first, start);
  for (ActiveMonitor& active : monitors_) active.next = start;
  schedule(start);
  const double setup_cpu = os::self_usage().cpu_seconds;
  ready();
  while (true) {
    double next = kNever;
    for (const ActiveMonitor& active : monitors_) next = std::min(next, active.next);
    if (alarm.wait_until(std::min(next, start + kLongestRun)) == os::Alarm::Woke::interrupt) break;
    const double now = os::system_clock().monotonic();
    sample(Tick::regular, now);
    schedule(now);
  }
  report_.setup_cpu_seconds = setup_cpu;
  report_.cpu_seconds = os::self_usage().cpu_seconds - setup_cpu;
  sample(Tick::last, os::system_clock().monotonic());
  report_.elapsed = os::system_clock().monotonic() - start;
  TRY(write_results());
  return report_;
}

Status Sampler::write_results() {
  const Status flushed = log_.flush();
  if (!flushed) fault("sampler.log", flushed.error().message);
  const Status written = write_recordings(log_path_, monitors_, files_.size(), spec_.directory);
  if (!written) fault("recordings", written.error().message);
  TRY(os::remove_tree(log_path_));
  for (const ActiveMonitor& active : monitors_) {
    report_.recorded.emplace_back(active.monitor->name);
    if (active.longest_interval > active.interval)
      report_.stretched.push_back(
          {.name = report_.recorded.back(),
           .reason = fmt::format("its files are dear to read: up to {} s between samples, not {} s",
                                 active.longest_interval, active.interval)});
  }
  const os::SelfUsage usage = os::self_usage();
  report_.finish_cpu_seconds = usage.cpu_seconds - report_.cpu_seconds - report_.setup_cpu_seconds;
  report_.max_rss_kb = usage.max_rss_kb;
  return os::write_file(spec_.directory / "sampler.json", sampler_report_json(report_));
}

}  // namespace

Result<SamplerReport> run_sampler(const SamplerSpec& spec, const std::function<void()>& ready) {
  Sampler sampler(spec);
  sampler.open();
  return sampler.run(ready);
}

Status sample_program(const os::Path& path) {
  os::catch_interrupts();
  ASSIGN_OR_RETURN(const std::string text, os::read_file(path));
  ASSIGN_OR_RETURN(const SamplerSpec spec, parse_sampler_spec(text));
  const Result<SamplerReport> report = run_sampler(spec, [] {
    std::puts("ready");
    std::fflush(stdout);
  });
  if (!report) return fail(report.error());
  return {};
}

}  // namespace kilter::monitor
