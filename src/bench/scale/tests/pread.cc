#include "bench/scale/files.h"

#include <fcntl.h>
#include <unistd.h>

namespace kilter::bench::scale {
namespace {

constexpr std::size_t kBlock = 4096;

[[noreturn]] void read_at(Counter count, int fd, off_t offset) {
  char block[kBlock];
  for (;;) {
    require(::pread(fd, block, kBlock, offset) == kBlock, "reading 4 KiB of a file");
    count.add(1);
  }
}

void run_private(Counter count, const Task& task) {
  const int fd = private_file(task);
  fill_with_zeros(fd, kBlock);
  read_at(count, fd, 0);
}

void run_same_page(Counter count, const Task&) {
  read_at(count, open_shared_file(O_RDONLY), 0);
}

void run_own_page(Counter count, const Task& task) {
  read_at(count, open_shared_file(O_RDONLY), ::sysconf(_SC_PAGESIZE) * static_cast<off_t>(task.index));
}

void prepare_block(unsigned) {
  make_shared_file(kBlock);
}

void prepare_pages(unsigned tasks) {
  make_shared_file(static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) * tasks);
}

}  // namespace

extern const Test pread1 = {"pread1", "Read 4 KiB of an own file (pread)", run_private};
extern const Test pread2 = {"pread2", "Read the same 4 KiB of one file of all tasks (pread)", run_same_page,
                            prepare_block};
extern const Test pread3 = {"pread3", "Read 4 KiB of one file of all tasks, each its own page (pread)",
                            run_own_page, prepare_pages};

}  // namespace kilter::bench::scale
