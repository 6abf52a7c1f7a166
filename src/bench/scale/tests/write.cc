#include "bench/scale/files.h"

#include <unistd.h>

namespace kilter::bench::scale {
namespace {

constexpr std::size_t kBlock = 4096;
constexpr std::size_t kFileSize = std::size_t{1} << 20;

void run(Counter count, const Task& task) {
  char block[kBlock] = {};
  const int fd = private_file(task);
  for (std::size_t written = 0;;) {
    require(::write(fd, block, kBlock) == kBlock, "writing 4 KiB of a file");
    written += kBlock;
    if (written == kFileSize) {
      written = 0;
      require(::lseek(fd, 0, SEEK_SET) == 0, "seeking to the start of a file");
    }
    count.add(1);
  }
}

}  // namespace

extern const Test write1 = {"write1", "Write an own file of 1 MiB in 4 KiB blocks, over and over", run};

}  // namespace kilter::bench::scale
