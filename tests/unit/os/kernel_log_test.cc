#include "os/kernel_log.h"

#include "os/files.h"

#include <doctest/doctest.h>

using namespace kilter;
using namespace kilter::os;

TEST_CASE("a record of the kernel gives its message, one of a program none") {
  CHECK(KernelLog::kernel_message("4,1234,5678,-;BUG: bad page\n SUBSYSTEM=x\n") == "BUG: bad page");
  CHECK(KernelLog::kernel_message("6,1,2,-;\n") == "");
  CHECK_FALSE(KernelLog::kernel_message("12,1234,5678,-;BUG: a program says so\n"));
  CHECK_FALSE(KernelLog::kernel_message("garbage"));
  CHECK_FALSE(KernelLog::kernel_message("x,1,2,-;text"));
}

TEST_CASE("only what is new is read, and what programs write is left out") {
  std::optional<KernelLog> log = KernelLog::open();
  if (!log || !is_writable("/dev/kmsg")) {
    MESSAGE("skipped: no right to read and write /dev/kmsg");
    return;
  }
  REQUIRE(write_into("/dev/kmsg", "kilter test: not from the kernel"));
  for (const std::string& message : log->read_new()) CHECK_FALSE(message.contains("kilter test"));
}
