#include "execute/describe.h"

#include <doctest/doctest.h>

#include <filesystem>

using namespace kilter;

namespace {

// The /proc and /sys of a machine, as far as a description reads them.
struct Tree {
  void put(const std::string& path, const std::string& text) const {
    std::filesystem::create_directories(root.at(path).parent_path());
    REQUIRE(os::append_file(root.at(path), text));
  }
  // Linux numbers the second threads of all cores after the first ones.
  void put_cpus(int sockets, int cores, int threads) const {
    for (int cpu = 0; cpu < sockets * cores * threads; ++cpu) {
      const std::string base = "/sys/devices/system/cpu/cpu" + std::to_string(cpu);
      const int core = cpu % (sockets * cores);
      put(base + "/topology/physical_package_id", std::to_string(core / cores) + "\n");
      put(base + "/topology/core_id", std::to_string(core % cores) + "\n");
      put(base + "/cpufreq/scaling_governor", "performance\n");
    }
    put("/sys/devices/system/cpu/online", "0-" + std::to_string(sockets * cores * threads - 1) + "\n");
  }

  os::TempDir temp = *os::TempDir::create("/tmp", "kilter-describe");
  os::Root root = os::Root(temp.path());
};

}  // namespace

TEST_CASE_FIXTURE(Tree, "a server is described as the mails have it") {
  put("/proc/cpuinfo",
      "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 143\n"
      "model name\t: Intel(R) Xeon(R) Platinum 8468V  CPU @ 2.4GHz\nstepping\t: 8\n"
      "microcode\t: 0x2b000603\nflags\t\t: fpu vme sse\n\n");
  put("/proc/meminfo", "MemTotal:       395927232 kB\nMemFree:  1 kB\n");
  put("/proc/sys/kernel/hostname", "igk-spr-2sp3\n");
  put("/proc/sys/kernel/osrelease", "6.12.0\n");
  put("/etc/os-release", "PRETTY_NAME=\"Debian\"\nID=debian\nVERSION_ID=\"12\"\n");
  put("/sys/devices/system/cpu/vulnerabilities/meltdown", "Not affected\n");
  put("/sys/devices/system/cpu/smt/active", "1\n");
  put("/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
  put("/sys/block/nvme0n1/device/model", "INTEL SSDPE2KE016T8\n");
  put_cpus(2, 48, 2);
  std::filesystem::create_directories(root.at("/sys/devices/system/node/node0"));
  std::filesystem::create_directories(root.at("/sys/devices/system/node/node1"));
  std::filesystem::create_directories(root.at("/usr/bin"));
  std::filesystem::create_symlink("x86_64-linux-gnu-gcc-12", root.at("/usr/bin/gcc"));
  const model::Machine machine = execute::describe_machine(root).value();
  CHECK(machine.description() ==
        "192 threads 2 sockets Intel(R) Xeon(R) Platinum 8468V  CPU @ 2.4GHz (Sapphire Rapids) with 384G "
        "memory");
  CHECK(machine.nr_core == 96);
  CHECK(machine.nr_node == 2);
  CHECK(machine.smt);
  CHECK(machine.governor == "performance");
  CHECK(machine.microcode == "0x2b000603");
  CHECK(machine.thp == "madvise");
  CHECK(machine.arch == "x86_64");
  CHECK(machine.os == "debian");
  CHECK(machine.os_version == "12");
  CHECK(machine.compiler == "gcc-12");
  CHECK(machine.hypervisor.empty());
  CHECK(machine.mitigations.at("meltdown") == "Not affected");
  CHECK(machine.disks.at("nvme0n1") == "INTEL SSDPE2KE016T8");
}

TEST_CASE_FIXTURE(Tree, "CPUs with unlike governors say so, and offline CPUs do not count") {
  put("/proc/cpuinfo", "processor: 0\n");
  put_cpus(1, 2, 1);
  put("/sys/devices/system/cpu/cpu9/cpufreq/scaling_governor", "powersave\n");
  const model::Machine machine = execute::describe_machine(root).value();
  CHECK(machine.governor == "performance,powersave");
  CHECK(machine.nr_cpu == 2);
  CHECK_FALSE(machine.smt);
}

TEST_CASE_FIXTURE(Tree, "a guest without /sys is described by /proc/cpuinfo alone") {
  put("/proc/cpuinfo",
      "processor: 0\nvendor_id: AuthenticAMD\nsiblings: 4\ncpu cores: 2\nflags: fpu hypervisor\n\n"
      "processor: 1\n\nprocessor: 2\n\nprocessor: 3\n");
  const model::Machine machine = execute::describe_machine(root).value();
  CHECK(machine.nr_cpu == 4);
  CHECK(machine.nr_socket == 1);
  CHECK(machine.nr_core == 2);
  CHECK(machine.smt);
  CHECK(machine.nr_node == 1);
  CHECK(machine.hypervisor == "unknown");
}

TEST_CASE_FIXTURE(Tree, "an empty cpuinfo gives a machine with nothing known") {
  put("/proc/cpuinfo", "");
  const model::Machine machine = execute::describe_machine(root).value();
  CHECK(machine.nr_socket == 1);
  CHECK(machine.cpu_model.empty());
}

TEST_CASE("what job files depend on is the same in the short description") {
  const model::Machine whole = execute::describe_machine(os::Root()).value();
  const model::Machine part = execute::identify_machine(os::Root()).value();
  CHECK(part.host == whole.host);
  CHECK(part.tbox_group == whole.tbox_group);
  CHECK(part.arch == whole.arch);
  CHECK(part.microarchitecture == whole.microarchitecture);
  CHECK(part.nr_cpu == whole.nr_cpu);
  CHECK(part.nr_node == whole.nr_node);
  CHECK(part.memory_kb == whole.memory_kb);
  CHECK(part.nr_cpu > 0);
}

TEST_CASE("memory is told as it is installed, not as the kernel finds it") {
  const auto told = [](double gigabytes) {
    model::Machine machine;
    machine.memory_kb = static_cast<std::int64_t>(gigabytes * 1024 * 1024);
    return machine.memory_text();
  };
  CHECK(told(0.47) == "512M");
  for (const auto& [total, installed] : std::vector<std::pair<double, std::string>>{{1.93, "2G"},
                                                                                    {5.8, "6G"},
                                                                                    {15.5, "16G"},
                                                                                    {16, "16G"},
                                                                                    {23.4, "24G"},
                                                                                    {31.2, "32G"},
                                                                                    {62.7, "64G"},
                                                                                    {94.2, "96G"},
                                                                                    {125.6, "128G"},
                                                                                    {188.6, "192G"},
                                                                                    {251.5, "256G"},
                                                                                    {377.6, "384G"},
                                                                                    {503.7, "512G"},
                                                                                    {754.9, "768G"},
                                                                                    {1007, "1024G"},
                                                                                    {2015, "2048G"}})
    CHECK(told(total) == installed);
  model::Machine box;
  box.memory_kb = 395927232;
  CHECK(box.fingerprint().at("memory") == "384G");
  CHECK(box.description().ends_with("with 384G memory"));
  box.nr_cpu = 1;
  box.nr_socket = 1;
  CHECK(box.description().starts_with("1 thread 1 socket "));
}

TEST_CASE("this machine describes itself") {
  const Result<model::Machine> machine = execute::describe_machine(os::Root());
  REQUIRE(machine);
  CHECK(machine->nr_cpu > 0);
  CHECK(machine->nr_socket > 0);
  CHECK(machine->nr_core > 0);
  CHECK(machine->nr_node > 0);
  CHECK(machine->memory_kb > 0);
  CHECK_FALSE(machine->kernel.empty());
  CHECK_FALSE(machine->boot_id.empty());
}

TEST_CASE("a machine without /proc is an error and not an empty machine") {
  const Result<model::Machine> machine = execute::describe_machine(os::Root("/nonexistent"));
  REQUIRE_FALSE(machine);
  CHECK(machine.error().message.starts_with("describing this machine: reading '/nonexistent/proc/cpuinfo'"));
}

TEST_CASE("microarchitectures by family, model and stepping") {
  CHECK(execute::microarchitecture("GenuineIntel", 6, 0x8f, 8) == "Sapphire Rapids");
  CHECK(execute::microarchitecture("GenuineIntel", 6, 0x55, 4) == "Skylake");
  CHECK(execute::microarchitecture("GenuineIntel", 6, 0x55, 7) == "Cascade Lake");
  CHECK(execute::microarchitecture("GenuineIntel", 6, 0x55, 11) == "Cooper Lake");
  CHECK(execute::microarchitecture("AuthenticAMD", 0x19, 1, 1) == "Zen 3");
  CHECK(execute::microarchitecture("AuthenticAMD", 6, 0x8f, 8).empty());
  CHECK(execute::microarchitecture("GenuineIntel", 6, 0xfff, 0).empty());
}

TEST_CASE("the class of a test box is its host name without its instance number") {
  CHECK(execute::tbox_group_of_host("vm-snb-12") == "vm-snb");
  CHECK(execute::tbox_group_of_host("ivb42-3-x-7") == "ivb42-x");
  CHECK(execute::tbox_group_of_host("lkp-spr-2sp3") == "lkp-spr-2sp3");
  CHECK(execute::tbox_group_of_host("laptop") == "laptop");
}
