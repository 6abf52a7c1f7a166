#include "bench/scale/files.h"

#include <sys/mman.h>

#include <unistd.h>

namespace kilter::bench::scale {
namespace {

constexpr std::size_t kSize = std::size_t{128} << 20;

[[noreturn]] void touch_pages(Counter count, int flags, int fd) {
  const std::size_t page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  for (;;) {
    void* memory = ::mmap(nullptr, kSize, PROT_READ | PROT_WRITE, flags, fd, 0);
    require(memory != MAP_FAILED, "mapping 128 MiB");
    volatile char* const bytes = static_cast<volatile char*>(memory);
    for (std::size_t at = 0; at < kSize; at += page) {
      bytes[at] = 0;
      count.add(1);
    }
    ::munmap(memory, kSize);
  }
}

void run_anonymous(Counter count, const Task&) {
  touch_pages(count, MAP_PRIVATE | MAP_ANONYMOUS, -1);
}

template <int sharing>
void run_file(Counter count, const Task& task) {
  const int fd = private_file(task);
  require(::ftruncate(fd, kSize) == 0, "growing a file to 128 MiB");
  touch_pages(count, sharing, fd);
}

}  // namespace

extern const Test page_fault1 = {"page_fault1", "Write to each page of anonymous memory", run_anonymous};
extern const Test page_fault2 = {"page_fault2", "Write to each page of a private file mapping",
                                 run_file<MAP_PRIVATE>};
extern const Test page_fault3 = {"page_fault3", "Write to each page of a shared file mapping",
                                 run_file<MAP_SHARED>};

}  // namespace kilter::bench::scale
