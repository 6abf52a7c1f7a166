#pragma once

#include "base/result.h"
#include "monitor/monitor.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

// One process that records all monitors of a run: files are opened once, read with pread at each interval,
// and gathered in one log; LKP-shaped recordings `<monitor>[.gz]` are written after the workload has ended.
namespace kilter::monitor {

struct SampledMonitor {
  std::string name;
  Options options;  // "interval": seconds
};

struct SamplerSpec {
  os::Path directory;                    // where recordings and sampler.json go
  os::Path root = "/";                   // prefix of /proc and /sys
  std::vector<SampledMonitor> monitors;  // unknown and unavailable ones are reported in sampler.json
  // A monitor without an interval of its own is read so seldom that it costs at most this share of one CPU.
  double budget = 0.0005;
};

// What sampler.json holds.
struct SamplerReport {
  struct Note {
    std::string name;
    std::string reason;
  };
  double cpu_seconds = 0;         // user and system, while the workload ran
  double setup_cpu_seconds = 0;   // before it, first samples included
  double finish_cpu_seconds = 0;  // after it, last samples included
  double elapsed = 0;             // seconds from first to last sample
  std::int64_t max_rss_kb = 0;
  std::int64_t samples = 0;           // moments at which files were read
  std::int64_t late = 0;              // moments more than half an interval behind their time
  std::vector<std::string> recorded;  // monitors with a recording
  std::vector<Note> unavailable;
  std::vector<Note> stretched;  // monitors read less often than by default, as their files are dear to read
  std::vector<Note> faults;     // files that could not be read during the run
};

// Samples until an interrupt (os/interrupt.h: SIGTERM), then takes the last samples and writes the files.
// `ready` is called when everything is open and the first sample of every monitor has been taken.
[[nodiscard]] Result<SamplerReport> run_sampler(const SamplerSpec& spec, const std::function<void()>& ready);

// JSON forms: the file given to `kilter sample`, and sampler.json.
[[nodiscard]] std::string sampler_spec_json(const SamplerSpec& spec);
[[nodiscard]] Result<SamplerSpec> parse_sampler_spec(std::string_view text);
[[nodiscard]] std::string sampler_report_json(const SamplerReport& report);
[[nodiscard]] Result<SamplerReport> parse_sampler_report(std::string_view text);

// The whole program `kilter sample SPEC.json`: reads the spec, prints "ready" on stdout, samples until
// SIGTERM.
[[nodiscard]] Status sample_program(const os::Path& spec);

}  // namespace kilter::monitor
