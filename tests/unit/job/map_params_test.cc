#include "job/map_params.h"

#include "job/filters.h"
#include "job/need_kernel.h"
#include "support.h"

using namespace kilter;
using namespace kilter::job;
using namespace kilter::job::testing;

namespace {

constexpr MachineNumbers kSmall{4, 1, std::int64_t{8} << 30};
constexpr MachineNumbers kMachine{192, 2, std::int64_t{384} << 30};

std::string mapped(std::string_view key, std::string_view text, const MachineNumbers& machine = kMachine) {
  std::string all;
  for (const auto& [name, value] : map_parameter(key, text, machine))
    all += (all.empty() ? "" : " ") + (name == key ? value : name + "=" + value);
  return all;
}

std::string why(const std::string& job, const MachineFacts& facts = {.numbers = kSmall}) {
  const auto units = expand_text("suite: tbench\ntestcase: tbench\n" + job + "tbench:\n");
  return reason_to_abandon(units.value().front(), facts).value_or("runs");
}

}  // namespace

TEST_CASE("task counts are parts of the CPUs") {
  CHECK(mapped("nr_threads", "50%") == "96");
  CHECK(mapped("nr_task", "0.5%") == "0");
  CHECK(mapped("worker_threads", "1600%") == "3072");
  CHECK(mapped("nr_threads", "64t") == "64");
  CHECK(mapped("nr_threads", "16") == "16");
  CHECK(mapped("nr_threads", "50%", {}) == "50%");
  CHECK(mapped("nr_threads", "1e300%") == "1e300%");
}

TEST_CASE("times, counts and sizes become plain numbers") {
  CHECK(mapped("runtime", "300s") == "300");
  CHECK(mapped("runtime", "10w") == "6048000");
  CHECK(mapped("testtime", "1.5m") == "60");
  CHECK(mapped("period", "10m") == "600");
  CHECK(mapped("period", "10x") == "10x");
  CHECK(mapped("iterations", "3x") == "3");
  CHECK(mapped("iterations", "10.0x") == "10");
  CHECK(mapped("iterations", "8") == "8");
  CHECK(mapped("size", "1mb") == "1048576");
  CHECK(mapped("size", "1kj") == "1kj");
  CHECK(mapped("send_size", "10K") == "10K");
  CHECK(mapped("loops", "10000000ops") == "10000000ops");
  CHECK(mapped("test_memory_size", "50%") == std::to_string(std::int64_t{192} << 30));
  CHECK(mapped("memory.high", "2G") == "2147483648");
}

TEST_CASE("disks, arrays and CPU sets") {
  CHECK(mapped("disk", "1HDD") == "nr_hdd=1");
  CHECK(mapped("disk", "4BRD_12G") == "nr_brd=4 ramdisk_size=12884901888");
  CHECK(mapped("disk", "SCSI_RAM") == "scsi_ram=1");
  CHECK(mapped("disk", "2pmem") == "nr_pmem=2");
  CHECK(mapped("disk", "odd") == "odd");
  CHECK(mapped("md", "RAID5") == "raid_level=raid5");
  CHECK(mapped("fs", "ext4") == "ext4");
  CHECK(mapped("cpuset.cpus", "all") == "0-191");
  CHECK(mapped("cpuset.mems", "all") == "0-1");
}

TEST_CASE("a unit job that cannot run here says why") {
  CHECK(why("need_cpu: 4\nneed_node: 1\nneed_memory: 8G\n") == "runs");
  CHECK(why("need_cpu: 8\n") == "need_cpu 8: this machine has 4 CPUs");
  CHECK(why("need_cpu: -2\n") == "need_cpu -2: at most 2 CPUs, this machine has 4");
  CHECK(why("need_node: [1, 2]\n") == "need_node 2: this machine has 1 NUMA nodes");
  CHECK(why("need_memory: 64G\n") == "need_memory 64G: this machine has 8.0 GiB");
  CHECK(why("nr_threads: 10%\n") == "nr_threads 10% is no task at all on 4 CPUs");
  CHECK(why("nr_threads: 25%\n") == "runs");
}

TEST_CASE("a kernel version that a job needs is compared number by number") {
  CHECK(version_fits("6.18.44-fc", ">= v5.10") == true);
  CHECK(version_fits("6.8.0-rc3+", ">= v6.8") == false);
  CHECK(version_fits("6.8.0", "v6.8-rc1") == true);
  CHECK(version_fits("6.10.1", "< 6.9") == false);
  CHECK(version_fits("6.1", "<=6.1") == true);
  CHECK_FALSE(version_fits("6.1", "gcc-12").has_value());
  const MachineFacts facts{.numbers = {}, .kernel = "6.1.0"};
  CHECK(why("need_kernel_version: '>= v6.5'\n", facts) ==
        "need_kernel_version >= v6.5: this kernel is 6.1.0");
  CHECK(why("need_kernel_version: ['>= v5.0', '< v6.2']\n", facts) == "runs");
}

TEST_CASE("a kernel option that a job needs on must be on, one it wants off stops nothing") {
  const MachineFacts facts{.numbers = {},
                           .kconfig = "CONFIG_AIO=y\n# CONFIG_NET is not set\nCONFIG_SCTP=m\n"};
  CHECK(why("need_kconfig: [AIO, SCTP: m, AIO: n, EXPERT: y, BLK_DEV_SD]\n", facts) == "runs");
  CHECK(why("need_kconfig: [NET]\n", facts) == "need_kconfig NET: this kernel has it not");
  CHECK(why("need_kconfig: [SCTP: y]\n", facts) == "need_kconfig SCTP=y: this kernel has it not");
  CHECK(why("need_kconfig: CONFIG_SCTP=m\n", facts) == "runs");
  CHECK(why("need_kconfig: [NET]\n") == "runs");
}

TEST_CASE("CPU flags, CPU model and a real machine can be needed") {
  const MachineFacts facts{.numbers = {},
                           .cpu_model = "Intel(R) Xeon(R) Gold 6338 Ice Lake",
                           .cpu_flags = {"avx2", "avx512_vnni"},
                           .is_virtual = true};
  CHECK(why("need_cpuid: AVX512-VNNI\nneed_cpu_model: ice lake\n", facts) == "runs");
  CHECK(why("need_cpuid: amx_tile\n", facts) == "need_cpuid amx_tile: this CPU has no such flag");
  CHECK(why("need_cpu_model: Zen 3\n", facts).starts_with("need_cpu_model Zen 3: this is a Intel"));
  CHECK(why("need_physical_tbox: 1\n", facts) == "need_physical_tbox: this is a virtual machine");
}

TEST_CASE("a need that cannot be checked is told") {
  const auto units =
      expand_text("suite: tbench\ntestcase: tbench\nneed_kconfig: [NET]\nneed_cpuid: avx2\ntbench:\n");
  REQUIRE(units.has_value());
  CHECK(unchecked_needs(units->front(), {}).size() == 2);
  CHECK(unchecked_needs(units->front(), {.numbers = {}, .cpu_flags = {"avx2"}, .kconfig = ""}).empty());
}
