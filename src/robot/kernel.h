#pragma once

#include "base/result.h"
#include "os/files.h"

#include <optional>
#include <string>
#include <string_view>

// The kernel of a run that measures no project: what is tested, and what it is called (docs/kernels.md).
namespace kilter::robot {

inline constexpr const char* kKernelJson = "kernel.json";

// kernel.json of a run directory.
struct Kernel {
  std::string release;   // uname -r
  std::string version;   // uname -v
  std::string commit;    // what release tells: the first digits of a sha, else the release itself
  std::string compiler;  // that built it: "gcc-12"; "unknown"
  std::string kconfig;   // name of its configuration: "x86_64-1f2e3d4c"; "unknown"
  std::string config;    // SHA-256 of the configuration file, kept as <home>/kernels/<config>.config; "" none
  std::string build_id;  // of its vmlinux, by the linker; "" unknown
};

struct RunningKernel {
  Kernel kernel;
  std::string config;  // the text of its configuration; "" unknown
};

[[nodiscard]] RunningKernel running_kernel(const os::Root& root, const std::string& arch);
// /proc/config.gz, or the file of the release in /boot or /lib/modules.
[[nodiscard]] std::optional<std::string> kernel_config(const os::Root& root, const std::string& release);

// "abcdef123456" of "6.8.0-rc1-00012-gabcdef123456", as the kernel's build puts it at the end (Android puts
// "-ab<build>" behind); anything else is its own name: "6.8.0-rc1", "6.1.0-18-amd64", and what was built from
// changed sources ("-dirty").
[[nodiscard]] std::string commit_of_release(std::string_view release);
// 7 to 39 hex digits: how a kernel tells its commit.
[[nodiscard]] bool is_short_sha(std::string_view commit);
// That of the running kernel; "" when the machine does not tell.
[[nodiscard]] std::string running_commit(const os::Root& root);
// "gcc-12", "clang-19", "gcc-4.9" of /proc/version; "unknown" when it does not tell.
[[nodiscard]] std::string compiler_of_version(std::string_view proc_version);
// "x86_64-" and 8 digits of the SHA-256 of the sorted CONFIG_ lines, without those that tell versions of
// tools and the kernel's own name: these are other axes. "unknown" of no configuration.
[[nodiscard]] std::string kconfig_name(std::string_view config, const std::string& arch);
// The GNU build id among the ELF notes of /sys/kernel/notes, as hex digits; "" when there is none.
[[nodiscard]] std::string build_id_of_notes(std::string_view notes);

// Writes kernel.json into a run directory, and keeps the configuration below `home` once.
[[nodiscard]] Status keep_kernel(const RunningKernel& running, const os::Path& home,
                                 const os::Path& run_directory);
// nullopt: the run has none.
[[nodiscard]] std::optional<Kernel> kernel_of_run(const os::Path& run_directory);
// Of a kernel's configuration; nullopt where it is not known, or not kept here.
[[nodiscard]] std::optional<os::Path> kept_config(const Kernel& kernel, const os::Path& home);

}  // namespace kilter::robot
