#include "os/affinity.h"

#include "base/cpu_list.h"
#include "base/text.h"
#include "os/files.h"

#include <fmt/core.h>
#include <sys/syscall.h>

#include <cerrno>
#include <unistd.h>

namespace kilter::os {
namespace {

constexpr int kBitsPerWord = 64;

struct Mask {
  unsigned long words[kMaxCpus / kBitsPerWord] = {};
};

}  // namespace

Result<std::vector<int>> allowed_cpus() {
  Mask mask;
  // The raw call: glibc's cpu_set_t ends at 1024 CPUs.
  if (::syscall(SYS_sched_getaffinity, 0, sizeof mask, &mask) < 0)
    return failure("reading the affinity mask: " + errno_text(errno));
  std::vector<int> cpus;
  for (int cpu = 0; cpu < kMaxCpus; ++cpu)
    if ((mask.words[cpu / kBitsPerWord] >> (cpu % kBitsPerWord) & 1UL) != 0) cpus.push_back(cpu);
  return cpus;
}

Status bind_to(const std::vector<int>& cpus) {
  Mask mask;
  for (const int cpu : cpus)
    if (cpu >= 0 && cpu < kMaxCpus) mask.words[cpu / kBitsPerWord] |= 1UL << (cpu % kBitsPerWord);
  if (::syscall(SYS_sched_setaffinity, 0, sizeof mask, &mask) < 0)
    return failure(fmt::format("binding to CPU {}: {}", cpus.empty() ? -1 : cpus.front(), errno_text(errno)));
  return {};
}

}  // namespace kilter::os
