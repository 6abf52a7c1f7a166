#include "bench/scale/test.h"

#include <cerrno>
#include <unistd.h>

namespace kilter::bench::scale {
namespace {

struct Pair {
  int there[2];  // task writes, partner reads
  int back[2];   // partner writes, task reads
};

void send(int fd) {
  char byte = 0;
  ssize_t done = 0;
  do done = ::write(fd, &byte, 1);
  while (done != 1 && errno == EINTR);
  require(done == 1, "writing 1 byte to the partner's pipe");
}

void receive(int fd) {
  char byte = 0;
  ssize_t done = 0;
  do done = ::read(fd, &byte, 1);
  while (done < 0 && errno == EINTR);
  if (done == 0) errno = EPIPE;
  require(done == 1, "reading 1 byte from the partner's pipe");
}

// Two processes each give up the ends they do not use: when one dies the other sees it.
void keep_ends(const Task& task, int mine, int other) {
  if (task.mode == Mode::thread) return;
  ::close(mine);
  ::close(other);
}

struct Partner {
  const Task* task;
  Pair pipes;
};

void run_partner(void* context) {
  const Partner self = *static_cast<const Partner*>(context);
  keep_ends(*self.task, self.pipes.there[1], self.pipes.back[0]);
  for (;;) {
    receive(self.pipes.there[0]);
    send(self.pipes.back[1]);
  }
}

void run(Counter count, const Task& task) {
  Partner partner{&task, {}};
  require(::pipe(partner.pipes.there) == 0 && ::pipe(partner.pipes.back) == 0, "making two pipes");
  start_partner(task, run_partner, &partner);
  const Pair pipes = partner.pipes;
  keep_ends(task, pipes.there[0], pipes.back[1]);
  for (;;) {
    send(pipes.there[1]);
    receive(pipes.back[0]);
    count.add(2);
  }
}

}  // namespace

extern const Test context_switch1 = {
    "context_switch1", "Pass a byte to a partner task and back over two pipes", run, nullptr, 4};

}  // namespace kilter::bench::scale
