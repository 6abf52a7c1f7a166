#include "bench/crew.h"

#include "bench/cpu_clock.h"

#include <fmt/core.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <unistd.h>

namespace kilter::bench {
namespace {

constexpr int kFailed = 3;

void pause_briefly() {
  constexpr timespec kMillisecond{0, 1'000'000};
  ::nanosleep(&kMillisecond, nullptr);
}

}  // namespace

Result<std::unique_ptr<Crew>> Crew::create(Kind kind, unsigned size) {
  ASSIGN_OR_RETURN(SharedArray<Shared> shared, SharedArray<Shared>::create(1));
  std::unique_ptr<Crew> crew(new Crew(kind, std::move(shared)));
  if (!crew->gate_.ok()) return failure("making a pipe: " + os::errno_text(errno));
  crew->alive_.reserve(size);
  ::signal(SIGCHLD, SIG_DFL);  // a parent may have set it to be ignored
  return crew;
}

Crew::~Crew() {
  kill_all();
  for (std::thread& thread : threads_) thread.detach();  // an error is on its way out of the program
}

void Crew::run(const Body& body, unsigned member) {
  Shared& shared = shared_[0];
  const Status done = body(member);
  if (!done && kind_ == Kind::threads) {
    std::fprintf(stderr, "kilter-bench: %s\n", done.error().message.c_str());
    ::_exit(kFailed);
  }
  if (!done && !shared.failed.exchange(true))
    std::snprintf(shared.error, sizeof shared.error, "%s", done.error().message.c_str());
}

Status Crew::add_process(const Body& body) {
  const pid_t parent = ::getpid();
  const unsigned member = members_;
  std::fflush(stdout);
  const pid_t pid = ::fork();
  if (pid < 0) return failure(fmt::format("creating process {}: {}", member, os::errno_text(errno)));
  if (pid == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(kFailed);
    run(body, member);
    ::_exit(shared_[0].failed ? kFailed : 0);
  }
  alive_.push_back(pid);
  return {};
}

Status Crew::add_thread(Body body) {
  try {
    threads_.emplace_back([this, body = std::move(body), member = members_] { run(body, member); });
  } catch (const std::system_error& error) {
    return failure(fmt::format("creating thread {}: {}", members_, error.code().message()));
  }
  return {};
}

Status Crew::add(Body body) {
  TRY(kind_ == Kind::processes ? add_process(body) : add_thread(std::move(body)));
  members_ += 1;
  return {};
}

void Crew::wait_for_start() {
  shared_[0].ready += 1;
  gate_.wait();
}

Status Crew::failed_member() const {
  if (!shared_[0].failed) return {};
  return failure(shared_[0].error);
}

// Takes in members that have ended; an error if one ended badly.
Status Crew::reap(bool wait) {
  while (!alive_.empty()) {
    int status = 0;
    const pid_t pid = ::waitpid(-1, &status, wait ? 0 : WNOHANG);
    if (pid == 0 || (pid < 0 && errno != EINTR)) break;
    if (pid < 0 || std::erase(alive_, pid) == 0) continue;
    if (WIFSIGNALED(status))
      return failure(fmt::format("running: a process was killed by SIG{}", ::sigabbrev_np(WTERMSIG(status))));
    if (WEXITSTATUS(status) != 0) return failed_member();
  }
  return {};
}

Result<double> Crew::start() {
  while (shared_[0].ready < members_) {
    TRY(reap(false));
    pause_briefly();
  }
  const double moment = now();
  gate_.open();
  return moment;
}

Status Crew::join() {
  TRY(reap(true));
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
  return failed_member();
}

void Crew::kill_all() {
  for (const pid_t pid : alive_) ::kill(pid, SIGKILL);
  for (const pid_t pid : alive_) ::waitpid(pid, nullptr, 0);
  alive_.clear();
}

}  // namespace kilter::bench
