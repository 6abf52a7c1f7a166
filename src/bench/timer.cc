#include "bench/timer.h"

#include <sys/time.h>

#include <cmath>

namespace kilter::bench {

volatile std::sig_atomic_t time_is_up = 0;

namespace {

constexpr int kNudge = 10'000;  // microseconds between signals once the time is up

timeval as_timeval(double seconds) {
  const double whole = std::floor(seconds);
  return {.tv_sec = static_cast<time_t>(whole), .tv_usec = static_cast<suseconds_t>((seconds - whole) * 1e6)};
}

}  // namespace

void set_timer(double seconds) {
  time_is_up = 0;
  struct sigaction action{};
  action.sa_handler = [](int) { time_is_up = 1; };  // without SA_RESTART
  ::sigaction(SIGALRM, &action, nullptr);
  itimerval timer{};
  timer.it_value = as_timeval(seconds);
  timer.it_interval.tv_usec = kNudge;
  if (timer.it_value.tv_sec == 0 && timer.it_value.tv_usec == 0) timer.it_value.tv_usec = 1;
  ::setitimer(ITIMER_REAL, &timer, nullptr);
}

void cancel_timer() {
  const itimerval off{};
  ::setitimer(ITIMER_REAL, &off, nullptr);
}

}  // namespace kilter::bench
