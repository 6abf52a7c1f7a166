#include "bench/net/server.h"

#include "bench/net/session.h"
#include "os/files.h"

#include <fmt/core.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <unistd.h>

namespace kilter::bench::net {
namespace {

constexpr int kMaxSessions = 8192;
constexpr int kFailed = 3;

// A child that dies with this process; -1 as fork.
template <class Body>
pid_t fork_child(const Body& body) {
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid != 0) return pid;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(kFailed);
  body();
  ::_exit(0);
}

void refuse(int control, const std::string& why) {
  (void)write_line(control, "error " + why);
}

}  // namespace

Result<Listener> listen_for_clients(const Address& address) {
  ASSIGN_OR_RETURN(os::Fd socket, make_control_socket(address.family()));
  TRY(bind_and_listen(socket.get(), address, true));
  ASSIGN_OR_RETURN(const Address bound, local_address(socket.get()));
  return Listener{std::move(socket), bound.port()};
}

Status serve(const Listener& listener) {
  ::signal(SIGPIPE, SIG_IGN);
  ::signal(SIGCHLD, SIG_DFL);
  for (int sessions = 0;;) {
    ASSIGN_OR_RETURN(const os::Fd control, accept_from(listener.socket.get()));
    while (::waitpid(-1, nullptr, WNOHANG) > 0) --sessions;
    if (sessions >= kMaxSessions) {
      refuse(control.get(), "too many clients");
      continue;
    }
    const pid_t pid = fork_child([&] {
      ::close(listener.socket.get());
      if (const Status served = serve_session(control.get()); !served)
        refuse(control.get(), served.error().message);
    });
    if (pid < 0) {
      refuse(control.get(), "creating a process: " + os::errno_text(errno));
    } else {
      ++sessions;
    }
  }
}

Result<OwnServer> OwnServer::start(bool ipv6) {
  ASSIGN_OR_RETURN(const Address loopback, resolve("localhost", 0, ipv6));
  ASSIGN_OR_RETURN(const Listener listener, listen_for_clients(loopback));
  std::fflush(stdout);
  const pid_t pid = fork_child([&] { (void)serve(listener); });
  if (pid < 0) return failure("starting a server: " + os::errno_text(errno));
  return OwnServer(pid, listener.port);
}

OwnServer::~OwnServer() {
  if (pid_ <= 0) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

}  // namespace kilter::bench::net
