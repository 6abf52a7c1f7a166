#include "bench/scale/test.h"

#include <sys/socket.h>

#include <unistd.h>

namespace kilter::bench::scale {
namespace {

void run(Counter count, const Task&) {
  int ends[2];
  require(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0, "making a pair of sockets");
  char byte = 0;
  for (;;) {
    require(::write(ends[0], &byte, 1) == 1, "writing 1 byte to a socket");
    require(::read(ends[1], &byte, 1) == 1, "reading 1 byte from a socket");
    count.add(1);
  }
}

}  // namespace

extern const Test unix1 = {"unix1", "Write a byte to a unix stream socket and read it back", run, nullptr, 2};

}  // namespace kilter::bench::scale
