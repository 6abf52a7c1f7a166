#include "bench/scale/files.h"

#include <sys/mman.h>

#include <unistd.h>

namespace kilter::bench::scale {
namespace {

constexpr std::size_t kFileSize = std::size_t{128} << 20;
constexpr std::size_t kAnonymousSize = std::size_t{1} << 20;

struct Mapping {
  std::size_t size;
  int flags;
  int fd;
  char after;  // what a page holds once it was given back: 1 where the file keeps it, else 0
};

[[noreturn]] void give_back_pages(Counter count, const Mapping& mapping) {
  const std::size_t page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const char after = mapping.after;
  for (;;) {
    void* memory = ::mmap(nullptr, mapping.size, PROT_READ | PROT_WRITE, mapping.flags, mapping.fd, 0);
    require(memory != MAP_FAILED, "mapping memory");
    volatile char* const bytes = static_cast<volatile char*>(memory);
    for (std::size_t at = 0; at < mapping.size; at += page) {
      bytes[at] = 1;
      require(::madvise(static_cast<char*>(memory) + at, page, MADV_DONTNEED) == 0, "giving back a page");
      require(bytes[at] == after, "reading a page that was given back");
      count.add(1);
    }
    ::munmap(memory, mapping.size);
  }
}

int sparse_file(const Task& task) {
  const int fd = private_file(task);
  require(::ftruncate(fd, kFileSize) == 0, "growing a file to 128 MiB");
  return fd;
}

void run_private_file(Counter count, const Task& task) {
  give_back_pages(count, {kFileSize, MAP_PRIVATE, sparse_file(task), 0});
}

void run_anonymous(Counter count, const Task&) {
  give_back_pages(count, {kAnonymousSize, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0});
}

void run_shared_file(Counter count, const Task& task) {
  give_back_pages(count, {kFileSize, MAP_SHARED, sparse_file(task), 1});
}

}  // namespace

extern const Test tlb_flush1 = {"tlb_flush1", "Write, give back and read pages of a private file mapping",
                                run_private_file};
extern const Test tlb_flush2 = {"tlb_flush2", "Write, give back and read pages of anonymous memory",
                                run_anonymous};
extern const Test tlb_flush3 = {"tlb_flush3", "Write, give back and read pages of a shared file mapping",
                                run_shared_file};

}  // namespace kilter::bench::scale
