#include "job/map_params.h"

#include "job/filters.h"
#include "support.h"

using namespace kilter;
using namespace kilter::job;
using namespace kilter::job::testing;

namespace {

constexpr MachineNumbers kMachine{192, 2, std::int64_t{384} << 30};

std::string mapped(std::string_view key, std::string_view text, const MachineNumbers& machine = kMachine) {
  std::string all;
  for (const auto& [name, value] : map_parameter(key, text, machine))
    all += (all.empty() ? "" : " ") + (name == key ? value : name + "=" + value);
  return all;
}

std::string why(const std::string& job) {
  const auto units = expand_text("suite: tbench\ntestcase: tbench\n" + job + "tbench:\n");
  return reason_to_abandon(units.value().front(), {4, 1, std::int64_t{8} << 30}).value_or("runs");
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
