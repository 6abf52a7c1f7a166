#include "bench/scale/test.h"

#include <linux/futex.h>
#include <sys/syscall.h>

#include <unistd.h>

namespace kilter::bench::scale {
namespace {

// WAKE finds no waiter; WAIT expects 1 in a word that is 0 and comes back at once with EAGAIN.
template <int operation>
void run(Counter count, const Task&) {
  int word = 0;
  escape(&word);
  for (;;) {
    word = 0;
    ::syscall(SYS_futex, &word, operation, 1, nullptr, nullptr, 0);
    count.add(1);
  }
}

}  // namespace

extern const Test futex1 = {"futex1", "Wake a futex nobody waits for, shared key", run<FUTEX_WAKE>};
extern const Test futex2 = {"futex2", "Wait on a futex whose value has changed, shared key", run<FUTEX_WAIT>};
extern const Test futex3 = {"futex3", "Wake a futex nobody waits for, private key", run<FUTEX_WAKE_PRIVATE>};
extern const Test futex4 = {"futex4", "Wait on a futex whose value has changed, private key",
                            run<FUTEX_WAIT_PRIVATE>};

}  // namespace kilter::bench::scale
