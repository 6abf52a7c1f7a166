#include "os/timed_run.h"

#include "base/text.h"
#include "os/clock.h"
#include "os/interrupt.h"
#include "os/self.h"
#include "os/spawn.h"

#include <fmt/core.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <ctime>
#include <fcntl.h>
#include <limits>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

namespace kilter::os {

// The stack of a child until its exec.
class TimedChildStack {
 public:
  TimedChildStack()
      : base_(::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_POPULATE, -1, 0)) {}
  TimedChildStack(const TimedChildStack&) = delete;
  TimedChildStack& operator=(const TimedChildStack&) = delete;
  ~TimedChildStack() {
    if (base_ != MAP_FAILED) ::munmap(base_, kBytes);
  }
  [[nodiscard]] bool good() const { return base_ != MAP_FAILED; }
  [[nodiscard]] void* top() const { return static_cast<char*>(base_) + kBytes; }

 private:
  static constexpr std::size_t kBytes = std::size_t{64} << 10;
  void* base_;
};

namespace {

constexpr double kGrace = 1;          // seconds from SIGTERM to SIGKILL
constexpr double kOutputTick = 0.05;  // how often a long output is cut
constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr std::string_view kPadding = "KILTER_ENV_PADDING=";

// What the child reads and writes while it shares our memory.
struct Launch {
  const char* program = nullptr;
  char* const* argv = nullptr;
  char* const* env = nullptr;
  int in = -1;
  int out = -1;
  const std::vector<int>* cpus = nullptr;
  const cpu_set_t* cpu_set = nullptr;
  const PerfEvent* event = nullptr;
  int counter = -1;  // stays open in the parent
  pid_t parent = 0;
  int error = 0;
  timespec began{};
};

// Runs in the child on its own stack, with the parent asleep until exec. Memory is shared, and so are the
// descriptors until the counter is open.
int become_timed(void* argument) {
  Launch& launch = *static_cast<Launch*>(argument);
  reset_signals();
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != launch.parent) ::_exit(127);
  if (launch.event != nullptr) launch.counter = launch.event->open();
  const bool counted = launch.event == nullptr || launch.counter >= 0;
  const bool apart = counted && ::unshare(CLONE_FILES) == 0;
  close_others_on_exec();
  const bool bound =
      launch.cpus->empty() || ::sched_setaffinity(0, sizeof *launch.cpu_set, launch.cpu_set) == 0;
  if (apart && bound && ::dup2(launch.in, STDIN_FILENO) >= 0 && ::dup2(launch.out, STDOUT_FILENO) >= 0 &&
      ::dup2(launch.out, STDERR_FILENO) >= 0) {
    ::clock_gettime(CLOCK_MONOTONIC, &launch.began);
    ::execve(launch.program, launch.argv, launch.env);
  }
  launch.error = errno;
  ::_exit(127);
}

// No handler of ours may run in a child that shares our memory.
class SignalsHeld {
 public:
  SignalsHeld() {
    sigset_t all;
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;
  ~SignalsHeld() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

double as_seconds(const timespec& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

int poll_milliseconds(double seconds) {
  constexpr double kLongest = 3600;
  return static_cast<int>(std::ceil(std::clamp(seconds, 0.0, kLongest) * 1000));
}

// Of a file in memory, frees all but its last bytes; its size stays.
void free_early_bytes(int file) {
  struct stat status{};
  if (::fstat(file, &status) != 0) return;
  const off_t kept = static_cast<off_t>(TimedProgram::kKeptOutput);
  if (status.st_size <= 2 * kept) return;
  ::fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, status.st_size - kept);
}

}  // namespace

struct TimedProgram::Prepared {
  TimedCommand command;
  std::string program;
  std::vector<char*> argv;
  std::vector<std::string> env_text;
  std::string padding;
  std::vector<char*> env;
  cpu_set_t cpu_set{};
  TimedChildStack stack;
  Fd in;
  Fd out;

  Status open_streams();
  void set_environment(std::size_t bytes);
  Status rewind() const;
  // The moment the child's end was seen.
  double await(pid_t pid, int pidfd, double began, TimedRun& run) const;
};

Status TimedProgram::Prepared::open_streams() {
  const Path source = command.input.empty() ? Path("/dev/null") : command.input;
  in = Fd(::open(source.c_str(), O_RDONLY | O_CLOEXEC));
  if (!in) return failure(fmt::format("reading '{}': {}", source.string(), errno_text(errno)));
  if (command.discard_output)
    out = Fd(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  else
    out = Fd(::memfd_create("output", MFD_CLOEXEC));
  if (!out) return failure("opening a command's output: " + errno_text(errno));
  ::fcntl(out.get(), F_SETFL, O_APPEND);
  // dup2 in the child must not meet one of 0..2 that was closed in kilter.
  for (Fd* const fd : {&in, &out})
    if (fd->get() <= STDERR_FILENO) *fd = Fd(::fcntl(fd->get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
  return {};
}

void TimedProgram::Prepared::set_environment(std::size_t bytes) {
  env.clear();
  for (std::string& text : env_text) env.push_back(text.data());
  if (bytes > 0) {
    padding.assign(kPadding);
    padding.append(bytes, 'x');
    env.push_back(padding.data());
  }
  env.push_back(nullptr);
}

Status TimedProgram::Prepared::rewind() const {
  ::lseek(in.get(), 0, SEEK_SET);
  if (!command.discard_output && ::ftruncate(out.get(), 0) != 0)
    return failure("emptying a command's output: " + errno_text(errno));
  return {};
}

double TimedProgram::Prepared::await(pid_t pid, int pidfd, double began, TimedRun& run) const {
  double limit = command.time_limit > 0 ? began + command.time_limit : kNever;
  bool told = false;
  for (double now = began;;) {
    double wait = limit - now;
    if (!command.discard_output) wait = std::min(wait, kOutputTick);
    pollfd fds[] = {{pidfd, POLLIN, 0}, {told ? -1 : interrupt_fd(), POLLIN, 0}};
    ::poll(fds, std::size(fds), poll_milliseconds(wait));
    now = system_clock().monotonic();
    if (fds[0].revents != 0) return now;
    if (!command.discard_output) free_early_bytes(out.get());
    if (told && now >= limit) ::kill(-pid, SIGKILL);
    if (told || (!interrupted() && now < limit)) continue;
    told = true;
    (interrupted() ? run.interrupted : run.timed_out) = true;
    limit = now + kGrace;
    ::kill(-pid, SIGTERM);
  }
}

TimedProgram::TimedProgram(std::unique_ptr<Prepared> prepared) : prepared_(std::move(prepared)) {}
TimedProgram::TimedProgram(TimedProgram&&) noexcept = default;
TimedProgram& TimedProgram::operator=(TimedProgram&&) noexcept = default;
TimedProgram::~TimedProgram() = default;

Result<TimedProgram> TimedProgram::prepare(TimedCommand command) {
  std::unique_ptr<Prepared> made = std::make_unique<Prepared>();
  made->command = std::move(command);
  ASSIGN_OR_RETURN(made->program, program_path(made->command.argv));
  for (const std::string& word : made->command.argv) made->argv.push_back(const_cast<char*>(word.c_str()));
  made->argv.push_back(nullptr);
  for (char** entry = environ; *entry != nullptr; ++entry)
    if (!std::string_view(*entry).starts_with(kPadding)) made->env_text.emplace_back(*entry);
  CPU_ZERO(&made->cpu_set);
  for (const int cpu : made->command.cpus)
    if (cpu >= 0 && cpu < CPU_SETSIZE) CPU_SET(static_cast<std::size_t>(cpu), &made->cpu_set);
  if (!made->stack.good()) return failure("making a stack for a child: " + errno_text(errno));
  TRY(made->open_streams());
  return TimedProgram(std::move(made));
}

Result<TimedRun> TimedProgram::run(std::size_t padding) {
  Prepared& made = *prepared_;
  made.set_environment(padding);
  TRY(made.rewind());
  Launch launch{.program = made.program.c_str(),
                .argv = made.argv.data(),
                .env = made.env.data(),
                .in = made.in.get(),
                .out = made.out.get(),
                .cpus = &made.command.cpus,
                .cpu_set = &made.cpu_set,
                .event = made.command.event ? &*made.command.event : nullptr,
                .parent = ::getpid()};
  int raw_pidfd = -1;
  pid_t pid = -1;
  {
    const SignalsHeld held;
    pid = ::clone(become_timed, made.stack.top(),
                  CLONE_VM | CLONE_VFORK | CLONE_FILES | CLONE_PIDFD | SIGCHLD, &launch, &raw_pidfd);
  }
  const std::string name = printable(made.command.argv[0]);
  if (pid < 0) return failure(fmt::format("starting '{}': {}", name, errno_text(errno)));
  const Fd pidfd(raw_pidfd);
  const Fd counter(launch.counter);
  if (launch.error != 0) {
    ::waitpid(pid, nullptr, 0);
    return failure(fmt::format("starting '{}': {}", name, errno_text(launch.error)));
  }
  TimedRun run;
  const double began = as_seconds(launch.began);
  run.wall = made.await(pid, pidfd.get(), began, run) - began;
  ::kill(-pid, SIGKILL);  // the zombie keeps the group's number from being reused
  int status = 0;
  rusage raw{};
  while (::wait4(pid, &status, 0, &raw) < 0 && errno == EINTR) {
  }
  run.usage = usage_of(raw);
  if (run.usage.max_rss_kb <= self_usage().max_rss_kb) run.usage.max_rss_kb = 0;
  if (counter) {
    ASSIGN_OR_RETURN(run.count, read_perf_count(counter.get()));
  }
  if (WIFEXITED(status)) run.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) run.signal = WTERMSIG(status);
  struct stat printed{};
  if (!made.command.discard_output && ::fstat(made.out.get(), &printed) == 0)
    run.output_bytes = static_cast<std::uint64_t>(printed.st_size);
  return run;
}

std::string TimedProgram::output() const {
  struct stat status{};
  const int file = prepared_->out.get();
  if (prepared_->command.discard_output || ::fstat(file, &status) != 0) return "";
  const std::uint64_t size = static_cast<std::uint64_t>(status.st_size);
  std::string text(std::min(size, kKeptOutput), '\0');
  const ssize_t got = ::pread(file, text.data(), text.size(), static_cast<off_t>(size - text.size()));
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return text;
}

std::string TimedRun::how() const {
  return ProcessResult{.exit_code = exit_code,
                       .signal = signal,
                       .timed_out = timed_out,
                       .interrupted = interrupted,
                       .elapsed = wall}
      .how();
}

}  // namespace kilter::os
