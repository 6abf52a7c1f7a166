#include "bench/scale/files.h"

#include <sys/mman.h>

#include <unistd.h>

namespace kilter::bench::scale {
namespace {

constexpr std::size_t kSize = std::size_t{128} << 20;

[[noreturn]] void map_and_unmap(Counter count, int flags, int fd) {
  for (;;) {
    void* memory = ::mmap(nullptr, kSize, PROT_READ | PROT_WRITE, flags, fd, 0);
    require(memory != MAP_FAILED, "mapping 128 MiB");
    ::munmap(memory, kSize);
    count.add(1);
  }
}

void run_anonymous(Counter count, const Task&) {
  map_and_unmap(count, MAP_PRIVATE | MAP_ANONYMOUS, -1);
}

void run_file(Counter count, const Task& task) {
  const int fd = private_file(task);
  require(::ftruncate(fd, kSize) == 0, "growing a file to 128 MiB");
  map_and_unmap(count, MAP_PRIVATE, fd);
}

}  // namespace

extern const Test mmap1 = {"mmap1", "Map and unmap 128 MiB of anonymous memory, untouched", run_anonymous};
extern const Test mmap2 = {"mmap2", "Map and unmap 128 MiB of a file, untouched", run_file};

}  // namespace kilter::bench::scale
