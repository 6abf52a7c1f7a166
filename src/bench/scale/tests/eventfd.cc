#include "bench/scale/test.h"

#include <sys/eventfd.h>

#include <cerrno>
#include <unistd.h>

namespace kilter::bench::scale {
namespace {

constexpr ssize_t kSize = sizeof(std::uint64_t);

void run(Counter count, const Task&) {
  const int fd = ::eventfd(0, 0);
  require(fd >= 0, "making an eventfd");
  for (;;) {
    std::uint64_t value = 1;
    ssize_t done = 0;
    do done = ::write(fd, &value, kSize);
    while (done != kSize && errno == EINTR);
    require(done == kSize, "writing 8 bytes to an eventfd");
    do done = ::read(fd, &value, kSize);
    while (done != kSize && errno == EINTR);
    require(done == kSize, "reading 8 bytes from an eventfd");
    count.add(1);
  }
}

}  // namespace

extern const Test eventfd1 = {"eventfd1", "Write to an eventfd and read it back", run};

}  // namespace kilter::bench::scale
