#include "bench/scale/files.h"

#include <fcntl.h>
#include <unistd.h>

namespace kilter::bench::scale {
namespace {

constexpr std::size_t kBlock = 4096;

[[noreturn]] void seek_and_write(Counter count, int fd, off_t offset) {
  char block[kBlock] = {};
  for (;;) {
    require(::lseek(fd, offset, SEEK_SET) == offset, "seeking in a file");
    require(::write(fd, block, kBlock) == kBlock, "writing 4 KiB of a file");
    count.add(1);
  }
}

void run_private(Counter count, const Task& task) {
  const int fd = private_file(task);

  seek_and_write(count, fd, 0);
}

void run_same_page(Counter count, const Task&) {
  seek_and_write(count, open_shared_file(O_RDWR), 0);
}

void run_own_page(Counter count, const Task& task) {
  seek_and_write(count, open_shared_file(O_RDWR), ::sysconf(_SC_PAGESIZE) * static_cast<off_t>(task.index));
}

void prepare_block(unsigned) {
  make_shared_file(kBlock);
}

void prepare_pages(unsigned tasks) {
  make_shared_file(static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) * tasks);
}

}  // namespace

extern const Test writeseek1 = {"writeseek1", "Seek and write 4 KiB of an own file", run_private};
extern const Test writeseek2 = {"writeseek2", "Seek and write the same 4 KiB of one file of all tasks",
                                run_same_page, prepare_block};
extern const Test writeseek3 = {"writeseek3",
                                "Seek and write 4 KiB of one file of all tasks, each its own page",
                                run_own_page, prepare_pages};

}  // namespace kilter::bench::scale
