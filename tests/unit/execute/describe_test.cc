#include "execute/describe.h"

#include <doctest/doctest.h>

using namespace kilter;

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
