#include "bench/scale/test.h"

#include <unistd.h>

namespace kilter::bench::scale {
namespace {

void run(Counter count, const Task&) {
  for (;;) {
    ::getppid();
    count.add(1);
  }
}

}  // namespace

extern const Test getppid1 = {"getppid1", "Ask for the parent's process id", run};

}  // namespace kilter::bench::scale
