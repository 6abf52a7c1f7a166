#include "os/self.h"

#include "base/text.h"
#include "os/clock.h"
#include "os/files.h"
#include "os/interrupt.h"

#include <fmt/core.h>
#include <sys/resource.h>
#include <sys/timerfd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <ctime>
#include <poll.h>
#include <sched.h>
#include <unistd.h>

namespace kilter::os {
namespace {

// VmHWM, because ru_maxrss survives exec and so tells the parent's size.
std::int64_t peak_rss_kb() {
  const std::string status = read_file("/proc/self/status").value_or("");
  for (const std::string_view line : lines(status)) {
    const std::vector<std::string_view> fields = words(line);
    if (fields.size() >= 2 && fields[0] == "VmHWM:") return parse_int(fields[1]).value_or(0);
  }
  return 0;
}

}  // namespace

SelfUsage self_usage() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return {.cpu_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime), .max_rss_kb = peak_rss_kb()};
}

double thread_cpu_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

int page_kb() {
  return static_cast<int>(::sysconf(_SC_PAGESIZE) / 1024);
}

Result<Alarm> Alarm::create() {
  Fd fd(::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK));
  if (!fd) return failure(fmt::format("creating a timer: {}", errno_text(errno)));
  return Alarm(std::move(fd));
}

Alarm::Woke Alarm::wait_until(double monotonic_seconds) {
  itimerspec when{};
  const double whole = std::floor(monotonic_seconds);
  when.it_value.tv_sec = static_cast<time_t>(whole);
  when.it_value.tv_nsec = std::min(static_cast<long>((monotonic_seconds - whole) * 1e9) + 1, 999999999L);
  ::timerfd_settime(timer_.get(), TFD_TIMER_ABSTIME, &when, nullptr);
  pollfd waits[2] = {{.fd = timer_.get(), .events = POLLIN, .revents = 0},
                     {.fd = interrupt_fd(), .events = POLLIN, .revents = 0}};
  while (!interrupted()) {
    ::poll(waits, 2, -1);
    if ((waits[0].revents & POLLIN) != 0) break;
  }
  return interrupted() ? Woke::interrupt : Woke::time;
}

}  // namespace kilter::os
