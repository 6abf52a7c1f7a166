#pragma once

#include "base/result.h"
#include "bench/net/sockets.h"
#include "os/fd.h"

#include <sys/types.h>

// The far end of every test: a process for each client, as many as come.
namespace kilter::bench::net {

struct Listener {
  os::Fd socket;
  int port = 0;
};

[[nodiscard]] Result<Listener> listen_for_clients(const Address& address);
// Until a signal ends it. Its sessions die with it.
[[nodiscard]] Status serve(const Listener& listener);

// A server of this process's own on the loopback interface; gone with the object, or with the process.
class OwnServer {
 public:
  [[nodiscard]] static Result<OwnServer> start(bool ipv6);
  OwnServer(OwnServer&& other) noexcept : pid_(std::exchange(other.pid_, -1)), port_(other.port_) {}
  OwnServer& operator=(OwnServer&&) = delete;
  ~OwnServer();
  [[nodiscard]] int port() const { return port_; }

 private:
  OwnServer(pid_t pid, int port) : pid_(pid), port_(port) {}
  pid_t pid_;
  int port_;
};

}  // namespace kilter::bench::net
