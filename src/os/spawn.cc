#include "os/spawn.h"

#include "base/text.h"
#include "os/clock.h"

#include <fmt/core.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <sched.h>
#include <set>
#include <signal.h>
#include <unistd.h>

namespace kilter::os {
namespace {

std::mutex children_mutex;
std::set<pid_t> children;

void remember_child(pid_t pid) {
  const std::lock_guard<std::mutex> lock(children_mutex);
  children.insert(pid);
}

// Everything the child needs, made before the fork: after it only async-signal-safe calls are allowed.
struct Prepared {
  std::vector<std::string> env_text;
  std::vector<char*> env;
  std::vector<char*> argv;
  std::string program;
  std::vector<std::string> cgroup_files;
  cpu_set_t cpus{};
  std::vector<unsigned long> mem_nodes;  // bit mask; empty: not bound
  Fd in;
  Fd out;
  Fd err;
};

std::map<std::string, std::string> current_environment(bool clear) {
  std::map<std::string, std::string> env;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) continue;
    const std::string name(text.substr(0, equals));
    if (!clear || name == "PATH" || name == "HOME" || name == "LANG") env[name] = text.substr(equals + 1);
  }
  return env;
}

void prepare_environment(const Command& command, Prepared& prepared) {
  std::map<std::string, std::string> env = current_environment(command.clear_env);
  for (const auto& [name, value] : command.env) env[name] = value;
  for (const auto& [name, value] : env) prepared.env_text.push_back(name + "=" + value);
  for (std::string& text : prepared.env_text) prepared.env.push_back(text.data());
  prepared.env.push_back(nullptr);
}

// Our own descriptors stay above 2, else dup2 onto 0..2 in the child would trample one of them when kilter
// itself was started with a closed stdin or stdout.
Fd above_standard(Fd fd) {
  if (fd.get() < 0 || fd.get() > STDERR_FILENO) return fd;
  return Fd(::fcntl(fd.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
}

Result<Fd> open_for_child(const Path& path, int flags) {
  Fd fd = above_standard(Fd(::open(path.c_str(), flags | O_CLOEXEC, 0666)));
  if (!fd) return failure(fmt::format("opening '{}': {}", path.string(), errno_text(errno)));
  return fd;
}

// An inherited stream that is closed in kilter is /dev/null in the child.
Result<Fd> inherit(int fd) {
  Fd copy(::fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
  if (!copy) return open_for_child("/dev/null", O_WRONLY);
  return copy;
}

// An unlinked temporary file, so that a child that does not read cannot block us.
Result<Fd> stdin_from(const std::string& text) {
  if (text.empty()) return open_for_child("/dev/null", O_RDONLY);
  Fd fd = above_standard(Fd(static_cast<int>(::syscall(SYS_memfd_create, "stdin", 1U /* MFD_CLOEXEC */))));
  if (!fd) return failure(fmt::format("making a standard input: {}", errno_text(errno)));
  std::string_view rest = text;
  while (!rest.empty()) {
    const ssize_t written = ::write(fd.get(), rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return failure(fmt::format("filling a standard input: {}", errno_text(errno)));
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  ::lseek(fd.get(), 0, SEEK_SET);
  return fd;
}

// The child's end; for `capture` the parent's end is put into `read_end`.
Result<Fd> output_to(const Stream& stream, int inherited, Fd& read_end) {
  switch (stream.kind) {
    case Stream::Kind::inherit:
      return inherit(inherited);
    case Stream::Kind::append:
      return open_for_child(stream.file, O_WRONLY | O_CREAT | O_APPEND);
    case Stream::Kind::capture: {
      int ends[2];
      if (::pipe2(ends, O_CLOEXEC) != 0) return failure(fmt::format("making a pipe: {}", errno_text(errno)));
      read_end = above_standard(Fd(ends[0]));
      ::fcntl(read_end.get(), F_SETFL, O_NONBLOCK);
      return above_standard(Fd(ends[1]));
    }
    default:
      return open_for_child("/dev/null", O_WRONLY);
  }
}

Status prepare_streams(const Command& command, Prepared& prepared, Spawned& spawned) {
  ASSIGN_OR_RETURN(prepared.in, stdin_from(command.stdin_text));
  ASSIGN_OR_RETURN(prepared.out, output_to(command.out, STDOUT_FILENO, spawned.out));
  if (command.err.kind == Stream::Kind::same_as_out) {
    prepared.err = Fd(::fcntl(prepared.out.get(), F_DUPFD_CLOEXEC, 3));
    return {};
  }
  ASSIGN_OR_RETURN(prepared.err, output_to(command.err, STDERR_FILENO, spawned.err));
  return {};
}

void prepare_affinity(const Command& command, Prepared& prepared) {
  CPU_ZERO(&prepared.cpus);
  for (const int cpu : command.cpus)
    if (cpu >= 0 && cpu < CPU_SETSIZE) CPU_SET(static_cast<std::size_t>(cpu), &prepared.cpus);
}

void prepare_memory(const Command& command, Prepared& prepared) {
  constexpr int kBits = 8 * sizeof(unsigned long);
  for (const int node : command.mem_nodes) {
    if (node < 0) continue;
    const std::size_t word = static_cast<std::size_t>(node / kBits);
    if (prepared.mem_nodes.size() <= word) prepared.mem_nodes.resize(word + 1);
    prepared.mem_nodes[word] |= 1UL << (node % kBits);
  }
}

Result<Prepared> prepare(const Command& command, Spawned& spawned) {
  Prepared prepared;
  ASSIGN_OR_RETURN(prepared.program, program_path(command.argv));
  for (const std::string& word : command.argv) prepared.argv.push_back(const_cast<char*>(word.c_str()));
  prepared.argv.push_back(nullptr);
  for (const Path& group : command.cgroups)
    prepared.cgroup_files.push_back((group / "cgroup.procs").string());
  prepare_environment(command, prepared);
  prepare_affinity(command, prepared);
  prepare_memory(command, prepared);
  TRY(prepare_streams(command, prepared, spawned));
  return prepared;
}

[[noreturn]] void give_up(int report) {
  const int error = errno;
  [[maybe_unused]] const ssize_t ignored = ::write(report, &error, sizeof error);
  ::_exit(127);
}

void enter_cgroups(const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    const int fd = ::open(file.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd < 0) continue;
    [[maybe_unused]] const ssize_t ignored = ::write(fd, "0", 1);
    ::close(fd);
  }
}

[[noreturn]] void become(const Command& command, Prepared& prepared, int report, pid_t parent) {
  reset_signals();
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);  // the parent died before the line above
  close_others_on_exec();
  enter_cgroups(prepared.cgroup_files);
  if (!command.cpus.empty() && ::sched_setaffinity(0, sizeof prepared.cpus, &prepared.cpus) != 0)
    give_up(report);
  // The kernel reads one bit less than it is told of.
  if (!prepared.mem_nodes.empty() &&
      ::syscall(SYS_set_mempolicy, 2 /* MPOL_BIND */, prepared.mem_nodes.data(),
                prepared.mem_nodes.size() * 8 * sizeof(unsigned long) + 1) != 0)
    give_up(report);
  if (command.disable_aslr) ::personality(ADDR_NO_RANDOMIZE);
  if (!command.cwd.empty() && ::chdir(command.cwd.c_str()) != 0) give_up(report);
  ::dup2(prepared.in.get(), STDIN_FILENO);
  ::dup2(prepared.out.get(), STDOUT_FILENO);
  ::dup2(prepared.err.get(), STDERR_FILENO);
  ::execve(prepared.program.c_str(), prepared.argv.data(), prepared.env.data());
  give_up(report);
}

// 0 when exec succeeded (the pipe closed without a word).
int exec_error(int report) {
  int error = 0;
  ssize_t got = 0;
  do {
    got = ::read(report, &error, sizeof error);
  } while (got < 0 && errno == EINTR);
  return got == sizeof error ? error : 0;
}

}  // namespace

Result<std::string> program_path(const std::vector<std::string>& argv) {
  if (argv.empty() || argv[0].empty()) return failure("starting a program: its name is empty");
  std::string path = argv[0].contains('/') ? argv[0] : find_program(argv[0]).string();
  if (path.empty()) return failure(fmt::format("starting '{}': no such program in PATH", printable(argv[0])));
  return path;
}

void reset_signals() {
  for (int signal = 1; signal < 32; ++signal) ::signal(signal, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

void close_others_on_exec() {
#ifdef SYS_close_range
  ::syscall(SYS_close_range, 3U, ~0U, 4U /* CLOSE_RANGE_CLOEXEC */);
#endif
}

Result<Spawned> spawn(const Command& command) {
  Spawned spawned;
  ASSIGN_OR_RETURN(Prepared prepared, prepare(command, spawned));
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return failure(fmt::format("making a pipe: {}", errno_text(errno)));
  const Fd report_read = above_standard(Fd(ends[0]));
  Fd report_write = above_standard(Fd(ends[1]));
  const pid_t self = ::getpid();
  spawned.began = system_clock().monotonic();
  spawned.pid = ::fork();
  if (spawned.pid == 0) become(command, prepared, report_write.get(), self);
  if (spawned.pid < 0) return failure(fmt::format("starting '{}': {}", command.argv[0], errno_text(errno)));
  ::setpgid(spawned.pid, spawned.pid);
  report_write.reset();
  const int error = exec_error(report_read.get());
  if (error != 0) {
    ::waitpid(spawned.pid, nullptr, 0);
    return failure(fmt::format("starting '{}': {}", printable(command.argv[0]), errno_text(error)));
  }
  remember_child(spawned.pid);
  spawned.pidfd = Fd(static_cast<int>(::syscall(SYS_pidfd_open, spawned.pid, 0)));
  return spawned;
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

bool is_spawned_child(pid_t pid) {
  const std::lock_guard<std::mutex> lock(children_mutex);
  return children.contains(pid);
}

void forget_spawned_child(pid_t pid) {
  const std::lock_guard<std::mutex> lock(children_mutex);
  children.erase(pid);
}

}  // namespace kilter::os
