#include "bench/scale/test.h"

#include <pthread.h>

// In process mode each task has its own copy of the mutex, and glibc takes it without an atomic instruction
// because the process has one thread: the numbers of the two modes are of different things.
namespace kilter::bench::scale {

// Not in the unnamed namespace: a total nobody reads must still be written.
struct Shared {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  std::uint64_t total = 0;
} mutex_tests_shared;
thread_local std::uint64_t mutex_tests_own_total = 0;

namespace {

void run_global(Counter count, const Task&) {
  for (;;) {
    ::pthread_mutex_lock(&mutex_tests_shared.mutex);
    ::pthread_mutex_unlock(&mutex_tests_shared.mutex);
    count.add(1);
  }
}

void run_own(Counter count, const Task&) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  for (;;) {
    ::pthread_mutex_lock(&mutex);
    ::pthread_mutex_unlock(&mutex);
    count.add(1);
  }
}

void run_global_total(Counter count, const Task&) {
  for (;;) {
    ::pthread_mutex_lock(&mutex_tests_shared.mutex);
    mutex_tests_shared.total += 1;
    ::pthread_mutex_unlock(&mutex_tests_shared.mutex);
    count.add(1);
  }
}

void run_stack_total(Counter count, const Task&) {
  std::uint64_t total = 0;
  for (;;) {
    ::pthread_mutex_lock(&mutex_tests_shared.mutex);
    total += 1;
    escape(&total);
    ::pthread_mutex_unlock(&mutex_tests_shared.mutex);
    count.add(1);
  }
}

void run_thread_local_total(Counter count, const Task&) {
  for (;;) {
    ::pthread_mutex_lock(&mutex_tests_shared.mutex);
    mutex_tests_own_total += 1;
    ::pthread_mutex_unlock(&mutex_tests_shared.mutex);
    count.add(1);
  }
}

}  // namespace

extern const Test pthread_mutex1 = {"pthread_mutex1", "Lock and unlock one mutex of all threads", run_global};
extern const Test pthread_mutex2 = {"pthread_mutex2", "Lock and unlock an own mutex", run_own};
extern const Test pthread_mutex3 = {"pthread_mutex3", "Add to a global total under one mutex of all threads",
                                    run_global_total};
extern const Test pthread_mutex4 = {"pthread_mutex4", "Add to an own total on the stack under one mutex",
                                    run_stack_total};
extern const Test pthread_mutex5 = {"pthread_mutex5", "Add to a thread-local total under one mutex",
                                    run_thread_local_total};

}  // namespace kilter::bench::scale
