#include "os/process.h"

#include "base/quantity.h"
#include "base/text.h"
#include "os/clock.h"
#include "os/interrupt.h"
#include "os/spawn.h"

#include <fmt/core.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

namespace kilter::os {
namespace {

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

Usage usage_of(const rusage& raw) {
  return {.user = seconds(raw.ru_utime),
          .system = seconds(raw.ru_stime),
          .max_rss_kb = raw.ru_maxrss,
          .minor_faults = raw.ru_minflt,
          .major_faults = raw.ru_majflt,
          .voluntary_switches = raw.ru_nvcsw,
          .involuntary_switches = raw.ru_nivcsw,
          .fs_inputs = raw.ru_inblock,
          .fs_outputs = raw.ru_oublock};
}

class ChildProcess final : public Process {
 public:
  ChildProcess(Command command, Spawned spawned)
      : command_(std::move(command)), child_(std::move(spawned)), began_(system_clock().monotonic()) {}

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

  ProcessResult wait() override {
    const double end = command_.timeout > 0 ? began_ + command_.timeout : 0;
    while (!reap(WNOHANG)) {
      if (!command_.survive_interrupt && interrupted()) {
        result_.interrupted = true;
        finish(command_.grace);
      } else if (end > 0 && system_clock().monotonic() >= end) {
        result_.timed_out = true;
        finish(command_.grace);
      } else {
        pump(end > 0 ? end - system_clock().monotonic() : 3600, !command_.survive_interrupt);
      }
    }
    return result_;
  }

 private:
  // Waits up to `limit` seconds for output, the child's end or (if asked for) an interrupt.
  void pump(double limit, bool heed_interrupt) {
    pollfd fds[] = {{child_.pidfd.get(), POLLIN, 0},
                    {child_.out.get(), POLLIN, 0},
                    {child_.err.get(), POLLIN, 0},
                    {heed_interrupt ? interrupt_fd() : -1, POLLIN, 0}};
    const int timeout = static_cast<int>(std::clamp(limit * 1000 + 0.999, 0.0, 3.6e6));
    ::poll(fds, std::size(fds), timeout);
    drain(child_.out, result_.out);
    drain(child_.err, result_.err);
  }

  void drain(Fd& fd, std::string& text) const {
    char buffer[65536];
    while (fd) {
      const ssize_t got = ::read(fd.get(), buffer, sizeof buffer);
      if (got < 0 && errno == EINTR) continue;
      if (got == 0 || (got < 0 && errno != EAGAIN)) fd.reset();
      if (got <= 0) return;
      const std::size_t room = command_.capture_limit - std::min(command_.capture_limit, text.size());
      text.append(buffer, std::min(room, static_cast<std::size_t>(got)));
    }
  }

  bool reap(int flags) {
    if (reaped_) return true;
    int status = 0;
    rusage raw{};
    pid_t got = 0;
    do {
      got = ::wait4(child_.pid, &status, flags, &raw);
    } while (got < 0 && errno == EINTR);
    if (got == 0) return false;
    reaped_ = true;
    result_.elapsed = system_clock().monotonic() - began_;
    result_.usage = usage_of(raw);
    if (WIFEXITED(status)) result_.exit_code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) result_.signal = WTERMSIG(status);
    ::kill(-child_.pid, SIGKILL);  // what the child left in its group
    drain(child_.out, result_.out);
    drain(child_.err, result_.err);
    return true;
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
  double began_;
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

std::string last_lines(const ProcessResult& result, std::size_t count) {
  const std::string_view text = trim(result.err.empty() ? result.out : result.err);
  const std::vector<std::string_view> all = lines(text);
  std::string tail;
  for (std::size_t i = all.size() - std::min(count, all.size()); i < all.size(); ++i)
    tail += (tail.empty() ? "" : " | ") + std::string(all[i]);
  return printable(tail);
}

}  // namespace

std::string ProcessResult::how() const {
  if (interrupted) return "was interrupted";
  if (timed_out) return fmt::format("timed out after {}", format_duration(elapsed));
  if (signal != 0) return fmt::format("was killed by SIG{}", ::sigabbrev_np(signal));
  return fmt::format("exited with {}", exit_code);
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

Result<std::string> run_checked(ProcessRunner& runner, const Command& command) {
  ASSIGN_OR_RETURN(ProcessResult result, runner.run(command));
  if (result.interrupted) return ::kilter::interrupted(fmt::format("'{}' was interrupted", command.argv[0]));
  if (!result.ok())
    return failure(fmt::format("running '{}': {}: {}", printable(shell_join(command.argv)), result.how(),
                               last_lines(result, 3)));
  return std::move(result.out);
}

}  // namespace kilter::os
