#include "bench/scale/files.h"

#include <fcntl.h>

namespace kilter::bench::scale {
namespace {

[[noreturn]] void lock_and_unlock(Counter count, int fd) {
  for (;;) {
    struct flock range{};
    range.l_type = F_WRLCK;
    range.l_whence = SEEK_SET;
    range.l_len = 1;
    require(::fcntl(fd, F_SETLKW, &range) == 0, "locking a byte of a file");
    range.l_type = F_UNLCK;
    require(::fcntl(fd, F_SETLKW, &range) == 0, "unlocking a byte of a file");
    count.add(2);
  }
}

void run_private(Counter count, const Task& task) {
  lock_and_unlock(count, private_file(task));
}

void run_shared(Counter count, const Task&) {
  lock_and_unlock(count, open_shared_file(O_RDWR));
}

void prepare(unsigned) {
  make_shared_file(0);
}

}  // namespace

extern const Test lock1 = {"lock1", "Lock and unlock a byte of an own file (fcntl)", run_private};
extern const Test lock2 = {"lock2", "Lock and unlock a byte of one file of all tasks (fcntl)", run_shared,
                           prepare};

}  // namespace kilter::bench::scale
