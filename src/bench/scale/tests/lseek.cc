#include "bench/scale/files.h"

#include <fcntl.h>
#include <unistd.h>

namespace kilter::bench::scale {
namespace {

constexpr std::size_t kFileSize = 4096;

[[noreturn]] void seek(Counter count, int fd) {
  for (;;) {
    require(::lseek(fd, 0, SEEK_SET) == 0, "seeking to the start of a file");
    count.add(1);
  }
}

void run_private(Counter count, const Task& task) {
  const int fd = private_file(task);
  fill_with_zeros(fd, kFileSize);
  seek(count, fd);
}

void run_shared(Counter count, const Task&) {
  seek(count, open_shared_file(O_RDWR));
}

void prepare(unsigned) {
  make_shared_file(kFileSize);
}

}  // namespace

extern const Test lseek1 = {"lseek1", "Seek in an own file", run_private};
extern const Test lseek2 = {"lseek2", "Seek in one file of all tasks, each with its own descriptor",
                            run_shared, prepare};

}  // namespace kilter::bench::scale
