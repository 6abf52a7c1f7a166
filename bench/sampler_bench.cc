// What recording all monitors at 1 Hz costs: kilter's sampler, and beside it, over the same seconds, a shell
// loop of cat a monitor (and the programs vmstat and mpstat where they are installed), as scripts do it.
#include "base/text.h"
#include "monitor/registry.h"
#include "monitor/sampler.h"
#include "os/clock.h"
#include "os/process.h"

#include <fmt/core.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace {

using namespace kilter;
using Processes = std::vector<std::unique_ptr<os::Process>>;

constexpr double kTarget = 0.15;          // percent of one CPU
constexpr std::int64_t kTargetKb = 8192;  // resident

monitor::SamplerSpec spec_of(const os::Path& directory) {
  monitor::SamplerSpec spec{.directory = directory};
  for (const monitor::Monitor& one : monitor::monitors())
    if (one.sources != nullptr) spec.monitors.push_back({.name = std::string(one.name), .options = {}});
  return spec;
}

std::unique_ptr<os::Process> start(const std::vector<std::string>& argv) {
  os::Command command{.argv = argv};
  command.out.kind = os::Stream::Kind::discard;
  return os::system_runner().start(command).value();
}

std::unique_ptr<os::Process> shell_loop(const monitor::Monitor& one, const os::Path& directory) {
  std::string files;
  const std::vector<monitor::Source> sources = one.sources(os::Root()).value();
  for (const monitor::Source& source : sources) files += " " + source.path;
  const os::Path out = directory / one.name;
  return start({"/bin/sh", "-c",
                fmt::format("while :; do date '+time: %s.%N'; cat{}; sleep 1; done > {}", files,
                            shell_quote(out.string()))});
}

Processes start_scripts(const os::Path& directory) {
  Processes processes;
  for (const monitor::Monitor& one : monitor::monitors())
    if (one.style == monitor::Style::loop && one.writer == nullptr && one.interval <= 1 &&
        monitor::available(one, os::Root()))
      processes.push_back(shell_loop(one, directory));
  for (const std::vector<std::string>& argv :
       std::vector<std::vector<std::string>>{{"vmstat", "-n", "1"}, {"mpstat", "1"}})
    if (!os::find_program(argv[0]).empty()) processes.push_back(start(argv));
  return processes;
}

double cpu_of(Processes& processes) {
  double seconds = 0;
  for (const std::unique_ptr<os::Process>& process : processes) {
    const os::Usage usage = process->stop().usage;
    seconds += usage.user + usage.system;
  }
  return seconds;
}

int report(const monitor::SamplerReport& sampler, double stop_seconds, double script_cpu, std::size_t scripts,
           double script_seconds) {
  const double percent = sampler.cpu_seconds / sampler.elapsed * 100;
  const double script_percent = script_cpu / script_seconds * 100;
  fmt::print("sampler: {} monitors, {:.1f} s, {} samples\n", sampler.recorded.size(), sampler.elapsed,
             sampler.samples);
  fmt::print("  CPU while sampling   {:.4f} % of one CPU (bar {} %)\n", percent, kTarget);
  fmt::print("  CPU before and after {:.1f} ms, {:.1f} ms\n", sampler.setup_cpu_seconds * 1e3,
             sampler.finish_cpu_seconds * 1e3);
  fmt::print("  resident             {} KiB (bar {} KiB)\n", sampler.max_rss_kb, kTargetKb);
  fmt::print("  stopping took        {:.3f} s (bar 0.3 s)\n", stop_seconds);
  fmt::print("scripts: {} processes, {:.4f} % of one CPU\n", scripts, script_percent);
  fmt::print("ratio: scripts cost {:.0f} times the sampler\n", script_percent / percent);
  for (const auto& [name, reason] : sampler.stretched) fmt::print("stretched: {}: {}\n", name, reason);
  for (const auto& [name, reason] : sampler.unavailable) fmt::print("not here: {}: {}\n", name, reason);
  return percent <= kTarget && sampler.max_rss_kb <= kTargetKb ? 0 : 1;
}

int run(double seconds) {
  const os::TempDir dir = os::TempDir::create("/tmp", "kilter-sampler-bench").value();
  const os::TempDir script_dir = os::TempDir::create("/tmp", "kilter-script-bench").value();
  const os::Path spec = dir.path() / "spec.json";
  if (!os::write_file(spec, monitor::sampler_spec_json(spec_of(dir.path())))) return 2;
  os::Clock& clock = os::system_clock();
  const double begin = clock.monotonic();
  std::unique_ptr<os::Process> sampler = start({BIN_DIR "/kilter-agent", "sample", spec.string()});
  Processes scripts = start_scripts(script_dir.path());
  const std::size_t count = scripts.size();
  clock.sleep_until(begin + seconds);
  const double stopping = clock.monotonic();
  sampler->stop();
  const double stop_seconds = clock.monotonic() - stopping;
  const double script_cpu = cpu_of(scripts);
  const Result<std::string> text = os::read_file(dir.path() / "sampler.json");
  if (!text) return 2;
  return report(monitor::parse_sampler_report(*text).value(), stop_seconds, script_cpu, count,
                stopping - begin);
}

}  // namespace

int main(int argc, char** argv) {
  return run(argc > 1 ? std::atof(argv[1]) : 8);
}
