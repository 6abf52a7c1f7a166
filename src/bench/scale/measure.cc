#include "bench/scale/measure.h"

#include "bench/scale/area.h"
#include "bench/scale/files.h"
#include "bench/scale/runner.h"
#include "os/files.h"

#include <fmt/core.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <unistd.h>

namespace kilter::bench::scale {
namespace {

volatile std::sig_atomic_t runner_pid = 0;
volatile std::sig_atomic_t asked_to_stop = 0;

void pass_on(int) {
  asked_to_stop = 1;
  if (runner_pid > 0) ::kill(runner_pid, SIGTERM);
}

void handle_stop_signals() {
  struct sigaction action{};
  action.sa_handler = pass_on;
  for (const int number : kStopSignals) ::sigaction(number, &action, nullptr);
  ::signal(SIGCHLD, SIG_DFL);  // a parent may have set it to be ignored
  // Tasks of a runner that was killed become our children, to be waited for like it.
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
}

// Waits for the runner and for all it left behind; the runner's wait status.
int wait_for_all(pid_t runner) {
  int status = 0;
  for (;;) {
    int ended = 0;
    const pid_t pid = ::waitpid(-1, &ended, 0);
    if (pid == runner) status = ended;
    if (pid < 0 && errno == ECHILD) return status;
  }
}

Result<Measurement> answer(const RunPlan& plan, int status) {
  const Report& report = area().report;
  if (report.measured) return Measurement{report.rate, report.idle_percent};
  if (asked_to_stop != 0) return interrupted(fmt::format("running {}: interrupted", plan.test->name));
  if (report.error[0] != 0) return failure(fmt::format("running {}: {}", plan.test->name, report.error));
  if (WIFSIGNALED(status))
    return failure(fmt::format("running {}: its runner was killed by SIG{}", plan.test->name,
                               ::sigabbrev_np(WTERMSIG(status))));
  return failure(fmt::format("running {}: its runner ended without a result", plan.test->name));
}

}  // namespace

Result<Measurement> measure(const RunPlan& plan) {
  TRY(map_area());
  handle_stop_signals();
  const sigset_t before = block_stop_signals();
  std::fflush(stdout);
  const pid_t driver = ::getpid();
  const pid_t runner = ::fork();
  if (runner == 0) run_and_exit(plan, driver);
  const int cause = errno;
  runner_pid = runner;
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
  if (runner < 0) {
    unmap_area();
    return failure("starting the runner: " + os::errno_text(cause));
  }
  const int status = wait_for_all(runner);
  runner_pid = 0;
  sweep_names();
  Result<Measurement> result = answer(plan, status);
  unmap_area();
  return result;
}

}  // namespace kilter::bench::scale
