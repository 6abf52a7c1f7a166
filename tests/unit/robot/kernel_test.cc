#include "robot/kernel.h"

#include <doctest/doctest.h>

using namespace kilter;
using namespace kilter::robot;

namespace {

const os::Root kRoot{os::Path(TESTS_DIR) / "root" / "kernel-6.18"};

}  // namespace

TEST_CASE("a release that ends in a commit is named by it") {
  CHECK(commit_of_release("6.8.0-rc1-00012-gabcdef123456") == "abcdef123456");
  CHECK(commit_of_release("6.8.0-gabcdef1") == "abcdef1");
  CHECK(commit_of_release("6.8.0-rc1-mine-next-20240125-00003-g0123456789ab") == "0123456789ab");
  CHECK(commit_of_release("5.10.157-android13-4-00003-gdb8e31b6bd58-ab9871165") == "db8e31b6bd58");
}

TEST_CASE("any other release names itself") {
  for (const char* release :
       {"6.1.0-18-amd64", "6.6.8-200.fc39.x86_64", "6.5.0-35-generic", "6.8.0-rc1", "6.8.0-rc1+",
        "6.8.0-rc1-00012-gabcdef123456-dirty", "5.15.110-android14-11-gcc48824eebe8-dirty-ab10865596",
        "6.8.0-gabcde", "6.8.0-gabcdef123456z", "6.8.0-g", "6.8.0-gcc12", ""})
    CHECK(commit_of_release(release) == release);
}

TEST_CASE("the compiler is told as it is called") {
  const auto compiler = compiler_of_version;
  CHECK(compiler("Linux version 6.1.0-18-amd64 (debian-kernel@lists.debian.org) (gcc-12 (Debian 12.2.0-14) "
                 "12.2.0, GNU ld (GNU Binutils for Debian) 2.40) #1 SMP PREEMPT_DYNAMIC Debian 6.1.76-1 "
                 "(2024-02-01)") == "gcc-12");
  CHECK(compiler("Linux version 6.10.3-amd64 (debian-kernel@lists.debian.org) (x86_64-linux-gnu-gcc-13 "
                 "(Debian 13.3.0-3) 13.3.0, GNU ld (GNU Binutils for Debian) 2.42.50.20240625) #1 SMP "
                 "PREEMPT_DYNAMIC Debian 6.10.3-1 (2024-08-04)") == "gcc-13");
  CHECK(compiler("Linux version 6.6.8-200.fc39.x86_64 (mockbuild@0a1b2c) (gcc (GCC) 13.2.1 20231205 (Red Hat "
                 "13.2.1-6), GNU ld version 2.40-13.fc39) #1 SMP PREEMPT_DYNAMIC Thu Dec 21 04:01:49 UTC "
                 "2023") == "gcc-13");
  CHECK(compiler("Linux version 6.5.0-35-generic (buildd@lcy02-amd64-079) (x86_64-linux-gnu-gcc-12 (Ubuntu "
                 "12.3.0-1ubuntu1~22.04) 12.3.0, GNU ld (GNU Binutils for Ubuntu) 2.38) "
                 "#35~22.04.1-Ubuntu SMP PREEMPT_DYNAMIC Tue May  7 09:00:52 UTC 2") == "gcc-12");
  CHECK(compiler("Linux version 5.15.110-android14-11-gcc48824eebe8-dirty-ab10865596 (build-user@build-host) "
                 "(Android (10087095, +pgo, +bolt, based on r487747c) clang version 17.0.2 "
                 "(https://android.googlesource.com/toolchain/llvm-project "
                 "d9f89f4d16663d5012e5c09495f3b30ece3d2362), LLD 17.0.2) #1 SMP PREEMPT Fri Sep 22 17:20:20 "
                 "UTC 2023") == "clang-17");
  CHECK(compiler("Linux version 6.14.0 (dev@laptop) (Debian clang version 19.1.7 (3), Debian LLD 19.1.7) #2 "
                 "SMP") == "clang-19");
  CHECK(compiler("Linux version 4.9.0-8-amd64 (debian-kernel@lists.debian.org) (gcc version 6.3.0 20170516 "
                 "(Debian 6.3.0-18+deb9u1) ) #1 SMP Debian 4.9.144-3.1 (2019-02-19)") == "gcc-6");
  CHECK(compiler("Linux version 3.16.0-4-amd64 (debian-kernel@lists.debian.org) (gcc version 4.8.4 (Debian "
                 "4.8.4-1) ) #1 SMP Debian 3.16.43-2 (2017-04-30)") == "gcc-4.8");
}

TEST_CASE("a compiler that is not told is unknown") {
  for (const char* text : {"", "Linux version 6.1.0", "Linux version 6.1.0 (a@b) (gcc-12 (Debian", "((((",
                           "Linux version 6 (a@b) (gcc banana, ld) #1", "Linux version 6 (a@b) () #1"})
    CHECK(compiler_of_version(text) == "unknown");
}

TEST_CASE("a configuration is named by what it says, not by who built it or in which order") {
  const std::string plain = "CONFIG_A=y\nCONFIG_B=m\n";
  const std::string name = kconfig_name(plain, "x86_64");
  CHECK(name.starts_with("x86_64-"));
  CHECK(name.size() == 15);
  CHECK(
      kconfig_name("# Linux/x86 6.8.0\nCONFIG_GCC_VERSION=120200\nCONFIG_LOCALVERSION=\"-x\"\nCONFIG_B=m\n# "
                   "CONFIG_C is not set\nCONFIG_A=y\n",
                   "x86_64") == name);
  CHECK(kconfig_name("CONFIG_A=y\nCONFIG_B=y\n", "x86_64") != name);
  CHECK(kconfig_name("", "x86_64") == "unknown");
  CHECK(kconfig_name("# nothing\n", "x86_64") == "unknown");
}

TEST_CASE("a running kernel is read from its files") {
  const RunningKernel running = running_kernel(kRoot, "x86_64");
  CHECK(running.kernel.release == "6.18.0-rc1-00012-gabcdef123456");
  CHECK(running.kernel.version == "#7 SMP PREEMPT_DYNAMIC Mon Nov 30 12:00:00 UTC 2026");
  CHECK(running.kernel.commit == "abcdef123456");
  CHECK(running.kernel.compiler == "gcc-15");
  CHECK(running.kernel.kconfig == "x86_64-220341db");
  CHECK(running.kernel.config == "83c10b1bfdadfa4d7a6a3e715bab28c43b76f88f11a43474e4b671c3b3c7b4f4");
  CHECK(running.config.contains("\nCONFIG_64BIT=y\n"));
  CHECK(running.kernel.build_id == "e4f18d9dc1d0e6fc2b17e93e885a647b3c0a6fc1");
  CHECK(running_commit(kRoot) == "abcdef123456");
}

TEST_CASE("a kernel that tells nothing is unknown") {
  const os::TempDir empty = *os::TempDir::create("/tmp", "kernel");
  const RunningKernel running = running_kernel(os::Root(empty.path()), "");
  CHECK(running.kernel.commit == "unknown");
  CHECK(running.kernel.compiler == "unknown");
  CHECK(running.kernel.kconfig == "unknown");
  CHECK(running.kernel.config.empty());
  CHECK(running.kernel.build_id.empty());
}

TEST_CASE("notes that are cut or hostile have no build id") {
  const std::string notes = *kRoot.read("/sys/kernel/notes");
  for (std::size_t size = 0; size < 36; ++size) CHECK(build_id_of_notes(notes.substr(0, size)).empty());
  CHECK(build_id_of_notes(std::string(64, '\xff')).empty());
  CHECK(build_id_of_notes(std::string(64, '\0')).empty());
}

TEST_CASE("a run keeps what its kernel is, and the configuration is kept once") {
  const os::TempDir home = *os::TempDir::create("/tmp", "kernel");
  const RunningKernel running = running_kernel(kRoot, "x86_64");
  for (const char* run : {"0", "1"}) {
    REQUIRE(os::make_directories(home.path() / run));
    REQUIRE(keep_kernel(running, home.path(), home.path() / run));
  }
  const std::optional<Kernel> kernel = kernel_of_run(home.path() / "1");
  REQUIRE(kernel);
  CHECK(kernel->release == running.kernel.release);
  CHECK(kernel->kconfig == running.kernel.kconfig);
  CHECK(kernel->build_id == running.kernel.build_id);
  CHECK(os::list_directory(home.path() / "kernels").size() == 1);
  const std::optional<os::Path> kept = kept_config(*kernel, home.path());
  REQUIRE(kept);
  CHECK(*os::read_file(*kept) == running.config);
  CHECK_FALSE(kept_config({.config = "../../etc/passwd"}, home.path()));
  CHECK_FALSE(kernel_of_run(home.path()));
  REQUIRE(os::write_file(home.path() / "kernel.json", "[1"));
  CHECK_FALSE(kernel_of_run(home.path()));
}
