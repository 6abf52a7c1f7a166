#include "bench/scale/test.h"

#include <signal.h>

namespace kilter::bench::scale {
namespace {

void run(Counter count, const Task&) {
  struct sigaction action{};
  action.sa_handler = [](int) {};
  require(::sigaction(SIGUSR1, &action, nullptr) == 0, "installing a signal handler");
  for (;;) {
    require(::raise(SIGUSR1) == 0, "raising a signal");
    count.add(1);
  }
}

}  // namespace

extern const Test signal1 = {"signal1", "Send a signal to itself and handle it", run};

}  // namespace kilter::bench::scale
