#pragma once

#include <map>
#include <string>
#include <vector>

// Whether two machines may be compared: on the parts of model::Machine::fingerprint().
namespace kilter::analyse {

using Fingerprint = std::map<std::string, std::string>;

struct FingerprintOptions {
  // The compared axis is the kernel: kernel, mitigations and the kernel's own part of the command line may
  // differ.
  bool kernel_is_compared = false;
};

// Names of the parts that differ in what matters, sorted. A part that is unknown ("" or absent) on one side
// does not count: nothing says that it differs. Of a command line, what names the image (BOOT_IMAGE, initrd,
// root,
// ...) does not count.
[[nodiscard]] std::vector<std::string> unlike(const Fingerprint& a, const Fingerprint& b,
                                              const FingerprintOptions& options = {});

// "machines differ: governor (performance, powersave), memory (8G, 16G)"; "" when they are alike.
[[nodiscard]] std::string describe_unlike(const Fingerprint& a, const Fingerprint& b,
                                          const FingerprintOptions& options = {});

}  // namespace kilter::analyse
