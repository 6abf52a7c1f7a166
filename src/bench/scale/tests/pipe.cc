#include "bench/scale/test.h"

#include <cerrno>
#include <unistd.h>

namespace kilter::bench::scale {
namespace {

void run(Counter count, const Task&) {
  int ends[2];
  require(::pipe(ends) == 0, "making a pipe");
  char byte = 0;
  for (;;) {
    ssize_t done = 0;
    do done = ::write(ends[1], &byte, 1);
    while (done != 1 && errno == EINTR);
    require(done == 1, "writing 1 byte to a pipe");
    do done = ::read(ends[0], &byte, 1);
    while (done != 1 && errno == EINTR);
    require(done == 1, "reading 1 byte from a pipe");
    count.add(1);
  }
}

}  // namespace

extern const Test pipe1 = {"pipe1", "Write a byte to a pipe and read it back", run, nullptr, 2};

}  // namespace kilter::bench::scale
