#include "bench/scale/test.h"

#include <semaphore.h>

namespace kilter::bench::scale {
namespace {

void run(Counter count, const Task&) {
  sem_t semaphore;
  require(::sem_init(&semaphore, 0, 1) == 0, "making a semaphore");
  for (;;) {
    ::sem_wait(&semaphore);
    ::sem_post(&semaphore);
    count.add(1);
  }
}

}  // namespace

extern const Test posix_semaphore1 = {"posix_semaphore1", "Take and give an own semaphore", run};

}  // namespace kilter::bench::scale
