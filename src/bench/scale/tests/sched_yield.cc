#include "bench/scale/test.h"

#include <sched.h>

namespace kilter::bench::scale {
namespace {

void run(Counter count, const Task&) {
  for (;;) {
    ::sched_yield();
    count.add(1);
  }
}

}  // namespace

extern const Test sched_yield = {"sched_yield", "Yield the CPU", run};

}  // namespace kilter::bench::scale
