// The sampler on trees of other machines' /proc and /sys.
#include "base/text.h"
#include "monitor/parse.h"
#include "monitor/recording.h"
#include "monitor/registry.h"
#include "monitor/sampler.h"
#include "os/interrupt.h"
#include "os/process.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <csignal>
#include <functional>

using namespace kilter;
using namespace kilter::monitor;

namespace {

// All monitors on the machine below `root`; `between` runs between their first and their last sample.
class Recorded {
 public:
  explicit Recorded(
      const os::Path& root, const std::function<void()>& between = [] {})
      : dir_(os::TempDir::create("/tmp", "machines-test").value()) {
    SamplerSpec spec{.directory = dir_.path(), .root = root};
    for (const Monitor& monitor : monitors())
      if (monitor.sources != nullptr)
        spec.monitors.push_back({.name = std::string(monitor.name), .options = {}});
    os::catch_interrupts();
    os::clear_interrupt();
    report_ = run_sampler(spec, [&] {
                between();
                std::raise(SIGHUP);
              }).value();
    os::clear_interrupt();
  }

  [[nodiscard]] const SamplerReport& report() const { return report_; }
  [[nodiscard]] std::string lines(std::string_view name) const {
    return parser_lines(name, read_recording(dir_.path(), name).value()).value();
  }
  [[nodiscard]] std::string unavailable() const {
    std::string names;
    for (const auto& [name, reason] : report_.unavailable) {
      CHECK_FALSE(reason.empty());
      names += name + " ";
    }
    return names;
  }

 private:
  os::TempDir dir_;
  SamplerReport report_;
};

// The values of `key`, in order.
std::string values(const std::string& text, const std::string& key) {
  std::string found;
  for (const std::string_view line : lines(text))
    if (line.starts_with(key + ": ")) found.append(line.substr(key.size() + 2)) += ' ';
  return found;
}

void make_xeon(const os::Path& directory, const std::string& moment) {
  const os::Command command{.argv = {"python3", TESTS_DIR "/root/make_xeon.py", directory.string(), moment}};
  REQUIRE(os::run_checked(os::system_runner(), command));
}

}  // namespace

TEST_CASE("a laptop with two CPUs and one NUMA node") {
  const Recorded run(TESTS_DIR "/root/laptop-2cpu");
  CHECK(run.unavailable() == "numa-meminfo numa-numastat numa-vmstat sched_debug ");
  CHECK(run.report().faults.empty());
  for (const std::string& name : run.report().recorded)
    if (name != "kmsg") CHECK_MESSAGE(run.lines(name).contains(": "), name);
  CHECK(values(run.lines("cpuidle"), "POLL.usage") != "");
  CHECK(values(run.lines("cpuidle"), ".usage") != "");
  CHECK(run.lines("pagetypeinfo").contains("Node0.Normal.Movable.10: "));
  CHECK(run.lines("slabinfo").contains("dentry.active_objs: "));
  CHECK(run.lines("buddyinfo").contains("Node.0.zone.DMA32.10: "));
  CHECK(run.lines("interrupts").contains("CPU1.LOC:Local_timer_interrupts: "));
}

TEST_CASE("an old kernel: 14 fields of diskstats, fewer counters, no pagetypeinfo") {
  const Recorded run(TESTS_DIR "/root/old-4.9");
  CHECK(run.unavailable() == "kmsg numa-meminfo numa-numastat numa-vmstat pagetypeinfo sched_debug ");
  CHECK(values(run.lines("diskstats"), "read_ios.sda") == "120233 120233 ");
  CHECK(values(run.lines("diskstats"), "discard_ios.sda") == "");
  CHECK(values(run.lines("proc-vmstat"), "allocstall_movable") == "1201 1201 ");
  CHECK(values(run.lines("vmstat"), "memory.cache") == "5645113 ");
  CHECK(values(run.lines("vmstat"), "procs.r") == "2 ");
  CHECK(run.lines("interrupts").contains("\n16:IR-IO-APIC.16-fasteoi.ehci_hcd:usb1,i801_smbus: 40\n"));
}

TEST_CASE("a new kernel: 20 fields of diskstats, the scheduler's dump in debugfs") {
  const Recorded run(TESTS_DIR "/root/new-6.x");
  CHECK(values(run.lines("diskstats"), "flush_ticks.nvme0n1") == "40120 40120 ");
  CHECK(values(run.lines("proc-vmstat"), "pgpromote_candidate_nrl") == "0 0 ");
  const std::string sched = run.lines("sched_debug");
  CHECK(values(sched, "cpu.nr_running.avg") == "1.0 1.0 ");
  CHECK(values(sched, "cpu.curr->pid.max") == "4012.0 4012.0 ");
  CHECK(values(sched, "cfs_rq:/user.slice.load.0") == "1048576 1048576 ");
  CHECK(values(sched, "dl_rq:.dl_nr_running.max") == "0.0 0.0 ");
  CHECK(values(sched, "sysctl_sched.sysctl_sched_base_slice") == "3.000000 3.000000 ");
}

TEST_CASE("two sockets with 192 CPUs: differences over a run") {
  const os::TempDir root = os::TempDir::create("/tmp", "xeon").value();
  make_xeon(root.path(), "0");
  const Recorded run(root.path(), [&] { make_xeon(root.path(), "1"); });
  CHECK(run.unavailable() == "");
  CHECK(run.report().faults.empty());
  CHECK(values(run.lines("interrupts"), "24:IR-PCI-MSI.524288-edge.eth0-TxRx-0") == "0 50 ");
  CHECK(values(run.lines("interrupts"), "LOC:Local_timer_interrupts") == "19218336 19410336 ");
  CHECK(values(run.lines("softirqs"), "CPU191.RCU") == "900 970 ");
  CHECK(values(run.lines("cpuidle"), "C6.usage") == "7680 15360 ");
  CHECK(values(run.lines("cpuidle"), ".usage") == "19200 38400 ");
  CHECK(values(run.lines("numa-vmstat"), "node1.numa_hit") == "2500000 2503500 ");
  CHECK(values(run.lines("numa-numastat"), "node0.numa_hit") == "2500000 2503500 ");
  CHECK(values(run.lines("numa-meminfo"), "node1.MemTotal") == "198000000 198000000 ");
  CHECK(values(run.lines("vmstat"), "procs.r") == "96 ");
  // Idle 20 of 141 ticks on one socket, 20 of 51 on the other.
  CHECK(values(run.lines("mpstat"), "cpu.all.idle%") == "20.83 ");
  CHECK(values(run.lines("sched_debug"), "cpu.nr_running.avg") == "1.0 1.0 ");
  CHECK(values(run.lines("pagetypeinfo"), "Node1.Normal.Movable.0") == "100000 100000 ");
}
