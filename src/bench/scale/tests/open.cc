#include "bench/scale/files.h"

#include <fcntl.h>
#include <unistd.h>

namespace kilter::bench::scale {
namespace {

void run_own_path(Counter count, const Task& task) {
  const char* const path = task_path(task);
  for (;;) {
    const int fd = ::open(path, O_RDWR);
    require(fd >= 0, "opening a file");
    ::close(fd);
    count.add(1);
  }
}

void run_same_path(Counter count, const Task&) {
  run_own_path(count, Task{});
}

void prepare_one(unsigned) {
  make_shared_file(0);
}

}  // namespace

extern const Test open1 = {"open1", "Open and close an own file in one directory", run_own_path,
                           make_task_files};
extern const Test open2 = {"open2", "Open and close an own file in an own directory", run_own_path,
                           make_task_directories};
extern const Test open3 = {"open3", "Open and close one file of all tasks", run_same_path, prepare_one};

}  // namespace kilter::bench::scale
