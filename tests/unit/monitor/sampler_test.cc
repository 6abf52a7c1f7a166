#include "monitor/sampler.h"

#include "base/text.h"
#include "monitor/parse.h"
#include "monitor/recording.h"
#include "os/interrupt.h"

#include <doctest/doctest.h>

#include <csignal>
#include <thread>

using namespace kilter;
using namespace kilter::monitor;

namespace {

SamplerSpec spec_of(const os::Path& directory, const std::vector<std::string>& names,
                    const std::string& interval) {
  SamplerSpec spec{.directory = directory};
  for (const std::string& name : names)
    spec.monitors.push_back({.name = name, .options = {{"interval", interval}}});
  return spec;
}

// Runs the sampler for about `milliseconds`. SIGHUP ends it as SIGTERM does, which doctest keeps for itself.
SamplerReport sample_for(const SamplerSpec& spec, int milliseconds) {
  os::catch_interrupts();
  os::clear_interrupt();
  std::jthread killer;
  const Result<SamplerReport> report = run_sampler(spec, [&] {
    killer = std::jthread([milliseconds] {
      std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
      std::raise(SIGHUP);
    });
  });
  killer.join();
  os::clear_interrupt();
  return report.value();
}

int count_of(const std::string& text, std::string_view start) {
  int count = 0;
  for (const std::string_view line : lines(text)) count += line.starts_with(start) ? 1 : 0;
  return count;
}

}  // namespace

TEST_CASE("the sampler records this machine and its recordings parse") {
  const os::TempDir dir = os::TempDir::create("/tmp", "sampler-test").value();
  const SamplerReport report = sample_for(
      spec_of(dir.path(), {"vmstat", "mpstat", "meminfo", "proc-vmstat", "interrupts", "uptime"}, "0.1"),
      350);
  CHECK(report.faults.empty());
  CHECK(report.recorded.size() == 6);
  CHECK(report.samples >= 4);
  CHECK(report.cpu_seconds >= 0);
  const std::string meminfo = read_recording(dir.path(), "meminfo").value();
  CHECK(count_of(meminfo, "time: ") >= 4);
  CHECK(count_of(parser_lines("meminfo", meminfo).value(), "MemTotal: ") >= 4);
  CHECK(count_of(read_recording(dir.path(), "interrupts").value(), "time: ") == 2);
  CHECK(count_of(read_recording(dir.path(), "uptime").value(), "boot: ") == 1);
  const std::string vmstat = parser_lines("vmstat", read_recording(dir.path(), "vmstat").value()).value();
  CHECK(count_of(vmstat, "system.cs: ") >= 3);
  CHECK(count_of(vmstat, "time: ") == count_of(vmstat, "cpu.id: "));
  const std::string mpstat = parser_lines("mpstat", read_recording(dir.path(), "mpstat").value()).value();
  CHECK(count_of(mpstat, "cpu.all.idle%: ") == count_of(vmstat, "cpu.id: "));
  CHECK_FALSE(os::read_file(dir.path() / "sampler.log"));
  CHECK(parse_sampler_report(os::read_file(dir.path() / "sampler.json").value()).value().samples ==
        report.samples);
}

TEST_CASE("a monitor that cannot be had is named with its reason and the others go on") {
  const os::TempDir dir = os::TempDir::create("/tmp", "sampler-test").value();
  const os::TempDir root = os::TempDir::create("/tmp", "sampler-root").value();
  REQUIRE(os::make_directories(root.path() / "proc"));
  REQUIRE(os::write_file(root.path() / "proc/uptime", "12.5 20.25\n"));
  SamplerSpec spec = spec_of(dir.path(), {"uptime", "vmstat", "astrology"}, "");
  spec.root = root.path();
  spec.monitors.push_back({.name = "meminfo", .options = {{"interval", "soon"}}});
  const SamplerReport report = sample_for(spec, 10);
  CHECK(report.recorded == std::vector<std::string>{"uptime"});
  REQUIRE(report.unavailable.size() == 3);
  CHECK(report.unavailable[0].reason == "this kernel has no '/proc/stat'");
  CHECK(report.unavailable[1].reason == "kilter has no such monitor");
  CHECK(report.unavailable[2].reason.contains("interval 'soon'"));
  CHECK(read_recording(dir.path(), "uptime").value().contains("boot: 12.5\nidle: 20.25\n"));
}

TEST_CASE("a file that vanishes while the sampler runs is a fault, not an end") {
  const os::TempDir dir = os::TempDir::create("/tmp", "sampler-test").value();
  const os::TempDir root = os::TempDir::create("/tmp", "sampler-root").value();
  REQUIRE(os::make_directories(root.path() / "proc"));
  REQUIRE(os::write_file(root.path() / "proc/uptime", "1 2\n"));
  REQUIRE(os::write_file(root.path() / "proc/softirqs", "  CPU0\nHI: 1\n"));
  SamplerSpec spec = spec_of(dir.path(), {"softirqs", "uptime"}, "");
  spec.root = root.path();
  os::catch_interrupts();
  os::clear_interrupt();
  const Result<SamplerReport> report = run_sampler(spec, [&] {
    REQUIRE(os::remove_tree(root.path() / "proc/softirqs"));
    std::raise(SIGHUP);
  });
  os::clear_interrupt();
  REQUIRE(report);
  REQUIRE(report->faults.size() == 1);
  CHECK(report->faults[0].reason.contains("No such file or directory"));
  CHECK(read_recording(dir.path(), "softirqs").value().contains("HI: 1"));
}

TEST_CASE("the spec survives its JSON form, and a broken one is refused") {
  const SamplerSpec spec = spec_of("/run/x", {"vmstat"}, "10");
  const SamplerSpec back = parse_sampler_spec(sampler_spec_json(spec)).value();
  CHECK(back.directory == "/run/x");
  REQUIRE(back.monitors.size() == 1);
  CHECK(back.monitors[0].options.at("interval") == "10");
  CHECK_FALSE(parse_sampler_spec("{"));
  CHECK_FALSE(parse_sampler_spec("{\"monitors\": [\"vmstat\"]}"));
  CHECK_FALSE(parse_sampler_spec("{\"directory\": \"/x\", \"monitors\": [{}]}"));
}
