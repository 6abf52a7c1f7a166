#include "bench/scale/files.h"

#include <fcntl.h>
#include <unistd.h>

namespace kilter::bench::scale {
namespace {

constexpr std::size_t kBlock = 4096;

[[noreturn]] void seek_and_read(Counter count, int fd, off_t offset) {
  char block[kBlock];
  for (;;) {
    require(::lseek(fd, offset, SEEK_SET) == offset, "seeking in a file");
    require(::read(fd, block, kBlock) == kBlock, "reading 4 KiB of a file");
    count.add(1);
  }
}

void run_private(Counter count, const Task& task) {
  const int fd = private_file(task);
  fill_with_zeros(fd, kBlock);
  seek_and_read(count, fd, 0);
}

void run_same_page(Counter count, const Task&) {
  seek_and_read(count, open_shared_file(O_RDWR), 0);
}

void run_own_page(Counter count, const Task& task) {
  seek_and_read(count, open_shared_file(O_RDONLY), ::sysconf(_SC_PAGESIZE) * static_cast<off_t>(task.index));
}

void prepare_block(unsigned) {
  make_shared_file(kBlock);
}

void prepare_pages(unsigned tasks) {
  make_shared_file(static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) * tasks);
}

}  // namespace

extern const Test readseek1 = {"readseek1", "Seek and read 4 KiB of an own file", run_private};
extern const Test readseek2 = {"readseek2", "Seek and read the same 4 KiB of one file of all tasks",
                               run_same_page, prepare_block};
extern const Test readseek3 = {"readseek3", "Seek and read 4 KiB of one file of all tasks, each its own page",
                               run_own_page, prepare_pages};

}  // namespace kilter::bench::scale
