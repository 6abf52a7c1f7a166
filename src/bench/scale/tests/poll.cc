#include "bench/scale/files.h"

#include <cstring>
#include <poll.h>

namespace kilter::bench::scale {
namespace {

constexpr int kMany = 128;

void run_one(Counter count, const Task& task) {
  const int fd = private_file(task);
  for (;;) {
    pollfd entry{};
    entry.fd = fd;
    entry.events = POLLOUT;
    require(::poll(&entry, 1, 0) == 1, "polling 1 descriptor");
    count.add(1);
  }
}

void run_many(Counter count, const Task& task) {
  int fds[kMany];
  for (int& fd : fds) fd = private_file(task);
  for (;;) {
    pollfd entries[kMany];
    std::memset(entries, 0, sizeof entries);
    for (int i = 0; i < kMany; ++i) {
      entries[i].fd = fds[i];
      entries[i].events = POLLOUT;
    }
    require(::poll(entries, kMany, 0) == kMany, "polling 128 descriptors");
    count.add(1);
  }
}

}  // namespace

extern const Test poll1 = {"poll1", "Poll one file descriptor", run_one};
extern const Test poll2 = {"poll2", "Poll 128 file descriptors", run_many, nullptr, kMany};

}  // namespace kilter::bench::scale
