#include "bench/scale/runner.h"

#include "bench/gate.h"
#include "bench/scale/area.h"
#include "bench/scale/files.h"
#include "bench/scale/sampler.h"
#include "os/affinity.h"
#include "os/files.h"

#include <fmt/core.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <pthread.h>
#include <unistd.h>

namespace kilter::bench::scale {
namespace {

constexpr int kFailed = 3;
constexpr int kInterrupted = 130;
constexpr unsigned kOwnDescriptors = 64;  // the runner's, with room to spare

// What tasks and signal handlers need to know; one run a process, so one of them.
struct Run {
  const RunPlan* plan = nullptr;
  const Gate* gate = nullptr;
  sigset_t task_mask{};  // signals as they were before anything was blocked
  std::array<pid_t, kMaxTasks> pids{};
  std::array<Task, kMaxTasks> tasks{};
};
Run current;
thread_local int own_task = -1;    // -1: the runner itself
std::atomic<bool> ending = false;  // from here on failing tasks are no news: their files are being removed

[[noreturn]] void give_up(const char* text) {
  while (ending) ::pause();
  report_error(text);
  ::_exit(kFailed);  // the tasks die with us, the driver removes the names
}

[[noreturn]] void give_up(const Error& error) {
  give_up(error.message.c_str());
}

void die_with_parent(int signal_number, pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, signal_number);
  if (::getppid() != parent) ::_exit(kFailed);  // it died before the call
}

void stop_tasks() {
  ending = true;
  for (const pid_t pid : current.pids)
    if (pid > 0) ::kill(pid, SIGKILL);
  while (::waitpid(-1, nullptr, 0) > 0 || errno == EINTR) {
  }
}

void stop_in_order(int) {
  stop_tasks();
  sweep_names();
  ::_exit(kInterrupted);
}

void become_runner(pid_t driver) {
  die_with_parent(SIGTERM, driver);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);  // partners of tasks are waited for too
  struct sigaction action{};
  action.sa_handler = stop_in_order;
  for (const int number : kStopSignals) {
    sigaddset(&action.sa_mask, number);
    ::sigaction(number, &action, nullptr);
  }
}

// Thread mode adds up in one process what process mode spreads over many.
void raise_file_limit(const RunPlan& plan) {
  const rlim_t holders = plan.mode == Mode::thread ? plan.tasks : 1;
  const rlim_t need = kOwnDescriptors + holders * plan.test->descriptors;
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  if (limit.rlim_cur >= need) return;
  const rlim_t had = limit.rlim_max;
  limit.rlim_cur = need;
  limit.rlim_max = std::max(limit.rlim_max, need);
  if (::setrlimit(RLIMIT_NOFILE, &limit) == 0) return;
  char text[160];
  std::snprintf(text, sizeof text,
                "it needs %lu open files in one process and the limit is %lu (raise it with `ulimit -n`)",
                need, had);
  give_up(text);
}

[[noreturn]] void run_task(const Task& task) {
  own_task = static_cast<int>(task.index);
  current.gate->wait();
  current.plan->test->run(Counter(&area().slots[task.index].count), task);
  die("coming to an end");
}

// Ctrl-C reaches every process of the group; only the runner answers it, and ends the others.
void ignore_stop_signals() {
  for (const int number : kStopSignals) ::signal(number, SIG_IGN);
  ::sigprocmask(SIG_SETMASK, &current.task_mask, nullptr);
}

void create_process(const Task& task) {
  const pid_t runner = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) give_up(fmt::format("creating task {}: {}", task.index, os::errno_text(errno)).c_str());
  if (pid == 0) {
    die_with_parent(SIGKILL, runner);
    ignore_stop_signals();
    run_task(task);
  }
  current.pids[task.index] = pid;
}

void* thread_main(void* task) {
  run_task(*static_cast<const Task*>(task));
}

void create_thread(Task& task) {
  pthread_t thread{};
  const int failed = ::pthread_create(&thread, nullptr, thread_main, &task);
  if (failed != 0) give_up(fmt::format("creating task {}: {}", task.index, os::errno_text(failed)).c_str());
}

// The creator binds itself first: the task inherits the mask and its first memory is local.
void create_tasks(const RunPlan& plan) {
  Result<std::vector<int>> own_mask = os::allowed_cpus();
  for (unsigned i = 0; i < plan.tasks; ++i) {
    if (!plan.places.empty())
      if (const Status bound = os::bind_to(plan.places[i % plan.places.size()]); !bound)
        give_up(bound.error());
    current.tasks[i] = {.index = i, .mode = plan.mode};
    if (plan.mode == Mode::process) {
      create_process(current.tasks[i]);
    } else {
      create_thread(current.tasks[i]);
    }
  }
  if (!plan.places.empty() && own_mask) (void)os::bind_to(*own_mask);
}

void report_ended_task(pid_t pid, int status) {
  const auto found = std::ranges::find(current.pids, pid);
  const long index = found == current.pids.end() ? -1 : found - current.pids.begin();
  if (found != current.pids.end()) *found = 0;  // the number may be another process's from now on
  char text[128];
  if (WIFSIGNALED(status)) {
    std::snprintf(text, sizeof text, "task %ld was killed by SIG%s", index, ::sigabbrev_np(WTERMSIG(status)));
  } else {
    std::snprintf(text, sizeof text, "task %ld ended with exit code %d", index, WEXITSTATUS(status));
  }
  report_error(text);
}

// Sleeps, and wakes when a child ends. A task that has ended ends the run: its rate would be a lie.
void wait_until(double time) {
  sigset_t child_signal;
  sigemptyset(&child_signal);
  sigaddset(&child_signal, SIGCHLD);
  for (;;) {
    int status = 0;
    const pid_t ended = ::waitpid(-1, &status, WNOHANG);
    if (ended > 0) report_ended_task(ended, status);
    if (area().report.error[0] != 0) {
      stop_tasks();
      sweep_names();
      ::_exit(kFailed);
    }
    const double left = time - now();
    if (left <= 0) return;
    timespec patience{};
    patience.tv_sec = static_cast<time_t>(left);
    patience.tv_nsec = static_cast<long>((left - static_cast<double>(patience.tv_sec)) * 1e9);
    ::sigtimedwait(&child_signal, nullptr, &patience);
  }
}

void sample(const RunPlan& plan) {
  static Sampler sampler(plan, wait_until);  // 48 KiB of counters: too large for a stack
  if (plan.print_samples)
    std::printf("testcase:%.*s\nwarmup\n", static_cast<int>(plan.test->description.size()),
                plan.test->description.data());
  sampler.run(plan.warm_up);
  sampler.await_first_counts();
  if (plan.print_samples) std::puts("measurement");
  sampler.begin_window();
  if (plan.seconds == 0) sampler.run_for_ever();
  sampler.run(plan.seconds);
  const Measurement measured = sampler.end_window();
  area().report.rate = measured.rate;
  area().report.idle_percent = measured.idle_percent;
}

}  // namespace

sigset_t block_stop_signals() {
  sigset_t stops;
  sigset_t before;
  sigemptyset(&stops);
  for (const int number : kStopSignals) sigaddset(&stops, number);
  ::sigprocmask(SIG_BLOCK, &stops, &before);
  return before;
}

void run_and_exit(const RunPlan& plan, pid_t driver) {
  become_runner(driver);
  Gate gate;
  if (!gate.ok()) give_up("making a pipe");
  sigemptyset(&current.task_mask);
  current.plan = &plan;
  current.gate = &gate;
  raise_file_limit(plan);
  if (plan.test->prepare != nullptr) plan.test->prepare(plan.tasks);

  sigset_t mask = current.task_mask;
  sigaddset(&mask, SIGCHLD);  // taken by sigtimedwait
  create_tasks(plan);
  ::sigprocmask(SIG_SETMASK, &mask, nullptr);
  // From here on a stop signal finds every task in its table.

  gate.open();
  sample(plan);
  area().report.measured = true;
  stop_tasks();
  sweep_names();
  // Threads are left where they are, one of them perhaps inside malloc: no join, no destructors.
  ::_exit(0);
}

void die(const char* action) {
  const int cause = errno;
  char text[sizeof Report::error];
  char place[32] = "";
  if (own_task >= 0) std::snprintf(place, sizeof place, "task %d: ", own_task);
  std::snprintf(text, sizeof text, "%s%s: %s", place, action,
                cause == 0 ? "failed" : ::strerrordesc_np(cause));
  give_up(text);
}

void start_partner(const Task& task, void (*run)(void* context), void* context) {
  if (task.mode == Mode::process) {
    const pid_t self = ::getpid();
    const pid_t pid = ::fork();
    require(pid >= 0, "creating a partner process");
    if (pid > 0) return;
    die_with_parent(SIGKILL, self);
    run(context);
    ::_exit(kFailed);
  }
  struct Start {
    void (*run)(void*);
    void* context;
  };
  static constexpr auto kMain = [](void* start) -> void* {
    const Start todo = *static_cast<Start*>(start);
    delete static_cast<Start*>(start);
    todo.run(todo.context);
    return nullptr;
  };
  pthread_t thread{};
  errno = ::pthread_create(&thread, nullptr, kMain, new Start{run, context});
  require(errno == 0, "creating a partner thread");
}

}  // namespace kilter::bench::scale
