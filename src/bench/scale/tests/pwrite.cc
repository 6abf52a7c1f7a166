#include "bench/scale/files.h"

#include <fcntl.h>
#include <unistd.h>

namespace kilter::bench::scale {
namespace {

constexpr std::size_t kBlock = 4096;

[[noreturn]] void write_at(Counter count, int fd, off_t offset) {
  char block[kBlock] = {};
  for (;;) {
    require(::pwrite(fd, block, kBlock, offset) == kBlock, "writing 4 KiB of a file");
    count.add(1);
  }
}

void run_private(Counter count, const Task& task) {
  write_at(count, private_file(task), 0);
}

void run_same_page(Counter count, const Task&) {
  write_at(count, open_shared_file(O_RDWR), 0);
}

void run_own_page(Counter count, const Task& task) {
  write_at(count, open_shared_file(O_RDWR), ::sysconf(_SC_PAGESIZE) * static_cast<off_t>(task.index));
}

void prepare_block(unsigned) {
  make_shared_file(kBlock);
}

void prepare_pages(unsigned tasks) {
  make_shared_file(static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) * tasks);
}

}  // namespace

extern const Test pwrite1 = {"pwrite1", "Write 4 KiB of an own file (pwrite)", run_private};
extern const Test pwrite2 = {"pwrite2", "Write the same 4 KiB of one file of all tasks (pwrite)",
                             run_same_page, prepare_block};
extern const Test pwrite3 = {"pwrite3", "Write 4 KiB of one file of all tasks, each its own page (pwrite)",
                             run_own_page, prepare_pages};

}  // namespace kilter::bench::scale
