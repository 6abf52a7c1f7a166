#include "bench/scale/files.h"

#include <unistd.h>

namespace kilter::bench::scale {
namespace {

void run(Counter count, const Task& task) {
  const int fd = private_file(task);
  for (;;) {
    const int copy = ::dup(fd);
    require(copy >= 0, "duplicating a descriptor");
    ::close(copy);
    count.add(1);
  }
}

}  // namespace

extern const Test dup1 = {"dup1", "Duplicate a file descriptor and close the copy", run, nullptr, 2};

}  // namespace kilter::bench::scale
