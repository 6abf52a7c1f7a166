#include "bench/scale/files.h"

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace kilter::bench::scale {
namespace {

constexpr off_t kStep = 8192;
constexpr off_t kFileSize = off_t{1} << 20;

[[noreturn]] void allocate(Counter count, int fd) {
  for (off_t offset = 0;;) {
    const int failed = ::fallocate(fd, 0, offset, kStep);
    require(failed == 0 || errno == EINTR, "allocating 8 KiB of a file");
    offset += kStep;
    if (offset == kFileSize) {
      require(::ftruncate(fd, 0) == 0, "truncating a file");
      offset = 0;
    }
    count.add(1);
  }
}

void run_in_shared_memory(Counter count, const Task& task) {
  allocate(count, private_file(task, 0, Where::shared_memory));
}

void run_in_work_directory(Counter count, const Task& task) {
  allocate(count, private_file(task));
}

}  // namespace

extern const Test fallocate1 = {
    "fallocate1", "Allocate 8 KiB pieces of a file in /dev/shm, truncate at 1 MiB", run_in_shared_memory};
extern const Test fallocate2 = {"fallocate2", "Allocate 8 KiB pieces of a file on disk, truncate at 1 MiB",
                                run_in_work_directory};

}  // namespace kilter::bench::scale
