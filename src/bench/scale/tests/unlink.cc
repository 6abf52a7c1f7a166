#include "bench/scale/files.h"

#include <fcntl.h>
#include <unistd.h>

namespace kilter::bench::scale {
namespace {

void run(Counter count, const Task& task) {
  const char* const path = task_path(task);
  for (;;) {
    const int fd = ::open(path, O_RDWR | O_CREAT, 0600);
    require(fd >= 0, "creating a file");
    ::close(fd);
    require(::unlink(path) == 0, "removing a file");
    count.add(1);
  }
}

}  // namespace

extern const Test unlink1 = {"unlink1", "Create and remove a file in one directory", run, make_task_names};
extern const Test unlink2 = {"unlink2", "Create and remove a file in an own directory", run,
                             make_task_directories};

}  // namespace kilter::bench::scale
