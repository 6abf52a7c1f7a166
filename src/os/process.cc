#include "os/process.h"

#include "base/quantity.h"
#include "base/text.h"
#include "os/clock.h"
#include "os/interrupt.h"
#include "os/spawn.h"

#include <fmt/core.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

namespace kilter::os {
namespace {

constexpr double kLong = 3600;           // seconds
constexpr int kDrainRounds = 32;         // of 64 KiB
constexpr std::size_t kDrained = 65536;  // bytes at a time, not on the stack: it may be small
constexpr double kWithoutPidfd = 0.02;   // how often to look when the kernel has no pidfd (before 5.3)

int milliseconds(double limit) {
  return static_cast<int>(std::clamp(limit * 1000 + 0.999, 0.0, kLong * 1000));
}

class ChildProcess final : public Process {
 public:
  ChildProcess(Command command, Spawned spawned) : command_(std::move(command)), child_(std::move(spawned)) {}

  ~ChildProcess() override {
    if (!reaped_) finish(0);
  }

  [[nodiscard]] pid_t pid() const override { return child_.pid; }

  [[nodiscard]] bool ended() override {
    pump(0, false);
    return reap(WNOHANG);
  }

  void signal(int number) override {
    if (!reaped_) ::kill(-child_.pid, number);
  }

  ProcessResult stop() override {
    if (!reaped_) finish(command_.grace);
    return result_;
  }

  [[nodiscard]] bool has_printed(std::string_view text) override {
    drain(child_.out, result_.out);
    drain(child_.err, result_.err);
    return result_.out.contains(text);
  }

  [[nodiscard]] std::vector<int> wake_fds() const override {
    std::vector<int> fds;
    for (const Fd* fd : {&child_.pidfd, &child_.out, &child_.err})
      if (*fd) fds.push_back(fd->get());
    return fds;
  }

  ProcessResult wait() override {
    const double end = command_.timeout > 0 ? child_.began + command_.timeout : 0;
    while (!reap(WNOHANG)) {
      if (!command_.survive_interrupt && interrupted()) {
        result_.interrupted = true;
        finish(command_.grace);
      } else if (end > 0 && system_clock().monotonic() >= end) {
        result_.timed_out = true;
        finish(command_.grace);
      } else {
        pump(end > 0 ? end - system_clock().monotonic() : kLong, !command_.survive_interrupt);
      }
    }
    return result_;
  }

 private:
  // Waits up to `limit` seconds for output, the child's end or (if asked for) an interrupt.
  void pump(double limit, bool heed_interrupt) {
    if (!child_.pidfd) limit = std::min(limit, kWithoutPidfd);
    pollfd fds[] = {{child_.pidfd.get(), POLLIN, 0},
                    {child_.out.get(), POLLIN, 0},
                    {child_.err.get(), POLLIN, 0},
                    {heed_interrupt ? interrupt_fd() : -1, POLLIN, 0}};
    ::poll(fds, std::size(fds), milliseconds(limit));
    drain(child_.out, result_.out);
    drain(child_.err, result_.err);
  }

  // Bounded, so that a child that prints faster than we read cannot keep us here; one call empties the
  // largest pipe.
  void drain(Fd& fd, std::string& text) const {
    if (!fd) return;
    const std::unique_ptr<char[]> buffer = std::make_unique_for_overwrite<char[]>(kDrained);
    for (int round = 0; fd && round < kDrainRounds; ++round) {
      const ssize_t got = ::read(fd.get(), buffer.get(), kDrained);
      if (got < 0 && errno == EINTR) continue;
      if (got == 0 || (got < 0 && errno != EAGAIN)) fd.reset();
      if (got <= 0) return;
      const std::size_t room = command_.capture_limit - std::min(command_.capture_limit, text.size());
      text.append(buffer.get(), std::min(room, static_cast<std::size_t>(got)));
    }
  }

  bool reap(int flags) {
    if (reaped_) return true;
    // The zombie keeps its process group id from being reused while the rest of the group is killed.
    siginfo_t info{};
    int seen = 0;
    do {
      seen = ::waitid(P_PID, static_cast<id_t>(child_.pid), &info, WEXITED | WNOWAIT | flags);
    } while (seen < 0 && errno == EINTR);
    if (seen == 0 && info.si_pid == 0) return false;
    ::kill(-child_.pid, SIGKILL);
    collect();
    return true;
  }

  void collect() {
    int status = 0;
    rusage raw{};
    pid_t got = 0;
    do {
      got = ::wait4(child_.pid, &status, 0, &raw);
    } while (got < 0 && errno == EINTR);
    reaped_ = true;
    forget_spawned_child(child_.pid);
    result_.elapsed = system_clock().monotonic() - child_.began;
    result_.usage = usage_of(raw);
    if (WIFEXITED(status)) result_.exit_code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) result_.signal = WTERMSIG(status);
    drain(child_.out, result_.out);
    drain(child_.err, result_.err);
  }

  void finish(double grace) {
    const double end = system_clock().monotonic() + grace;
    if (grace > 0) ::kill(-child_.pid, SIGTERM);
    while (grace > 0 && !reap(WNOHANG) && system_clock().monotonic() < end)
      pump(end - system_clock().monotonic(), false);
    if (!reaped_) ::kill(-child_.pid, SIGKILL);
    reap(0);
  }

  Command command_;
  Spawned child_;
  bool reaped_ = false;
  ProcessResult result_;
};

class RealProcessRunner final : public ProcessRunner {
 public:
  [[nodiscard]] Result<ProcessResult> run(const Command& command) override {
    ASSIGN_OR_RETURN(std::unique_ptr<Process> process, start(command));
    return process->wait();
  }

  [[nodiscard]] Result<std::unique_ptr<Process>> start(const Command& command) override {
    ASSIGN_OR_RETURN(Spawned spawned, spawn(command));
    return std::make_unique<ChildProcess>(command, std::move(spawned));
  }
};

}  // namespace

std::string ProcessResult::how() const {
  if (interrupted) return "was interrupted";
  if (timed_out) return fmt::format("timed out after {}", format_duration(elapsed));
  if (signal != 0) return fmt::format("was killed by SIG{}", ::sigabbrev_np(signal));
  return fmt::format("exited with {}", exit_code);
}

Usage& Usage::operator+=(const Usage& other) {
  user += other.user;
  system += other.system;
  max_rss_kb = std::max(max_rss_kb, other.max_rss_kb);
  minor_faults += other.minor_faults;
  major_faults += other.major_faults;
  voluntary_switches += other.voluntary_switches;
  involuntary_switches += other.involuntary_switches;
  fs_inputs += other.fs_inputs;
  fs_outputs += other.fs_outputs;
  return *this;
}

void wait_for_any(std::span<Process* const> processes, double until, bool heed_interrupt) {
  std::vector<pollfd> fds;
  double limit = until - system_clock().monotonic();
  for (Process* process : processes) {
    const std::vector<int> wake = process->wake_fds();
    if (wake.empty()) limit = std::min(limit, kWithoutPidfd);
    for (const int fd : wake) fds.push_back({fd, POLLIN, 0});
  }
  if (heed_interrupt) fds.push_back({interrupt_fd(), POLLIN, 0});
  ::poll(fds.data(), fds.size(), milliseconds(limit));
}

std::vector<ProcessResult> stop_all(std::span<Process* const> processes, double grace) {
  const double end = system_clock().monotonic() + grace;
  for (Process* process : processes) process->signal(SIGTERM);
  std::vector<Process*> alive(processes.begin(), processes.end());
  while (std::erase_if(alive, [](Process* process) { return process->ended(); }), !alive.empty()) {
    if (system_clock().monotonic() >= end) break;
    wait_for_any(alive, end, false);
  }
  for (Process* process : alive) process->signal(SIGKILL);
  std::vector<ProcessResult> results;
  for (Process* process : processes) results.push_back(process->wait());
  return results;
}

ProcessRunner& system_runner() {
  static RealProcessRunner runner;
  return runner;
}

Path find_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  for (const std::string_view directory : split(path == nullptr ? "/usr/bin:/bin" : path, ':')) {
    const Path candidate = Path(directory.empty() ? "." : directory) / name;
    std::error_code error;
    if (::access(candidate.c_str(), X_OK) == 0 && !std::filesystem::is_directory(candidate, error))
      return candidate;
  }
  return {};
}

bool is_installed(const std::string& what) {
  std::error_code error;
  return what.contains('/') ? std::filesystem::exists(what, error) : !find_program(what).empty();
}

Result<std::string> run_checked(ProcessRunner& runner, const Command& command) {
  ASSIGN_OR_RETURN(ProcessResult result, runner.run(command));
  if (result.interrupted) return ::kilter::interrupted(fmt::format("'{}' was interrupted", command.argv[0]));
  if (!result.ok())
    return failure(fmt::format("running '{}': {}: {}", printable(shell_join(command.argv)), result.how(),
                               last_lines(result.err.empty() ? result.out : result.err, 3)));
  return std::move(result.out);
}

}  // namespace kilter::os
