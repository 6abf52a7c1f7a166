#include "bench/gate.h"

#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace kilter::bench {

Gate::Gate() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return;
  read_end_ = os::Fd(ends[0]);
  write_end_ = os::Fd(ends[1]);
}

void Gate::wait() const {
  pollfd entry{read_end_.get(), POLLIN, 0};
  while (::poll(&entry, 1, -1) < 0 && errno == EINTR) {
  }
}

// The byte is never read, so the pipe stays readable for everyone.
void Gate::open() const {
  const char byte = 0;
  while (::write(write_end_.get(), &byte, 1) < 0 && errno == EINTR) {
  }
}

}  // namespace kilter::bench
