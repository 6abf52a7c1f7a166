#include "bench/net/session.h"

#include "bench/cpu_clock.h"
#include "bench/net/protocol.h"
#include "bench/net/sockets.h"
#include "bench/timer.h"
#include "os/files.h"

#include <algorithm>
#include <cerrno>
#include <unistd.h>
#include <vector>

namespace kilter::bench::net {
namespace {

constexpr double kPatience = 10;     // seconds, for a client to take its next step
constexpr double kQuietTime = 0.02;  // without a datagram, before the control connection is looked at

struct Session {
  int control;
  Request request;
  os::Fd socket;      // bound; listening where there are connections
  os::Fd connection;  // where there is one for the whole test
  int message_size;
};

struct Received {
  double bytes = 0;
  double messages = 0;
};

bool is_quiet() {
  return errno == EAGAIN || errno == EINTR;
}

Received answer_requests(Session& session) {
  Received received;
  const int fd = session.connection.get();
  char byte = 0;
  while (::recv(fd, &byte, 1, 0) == 1 && ::send(fd, &byte, 1, 0) == 1) received.messages += 1;
  return received;
}

Received answer_connections(Session& session) {
  Received received;
  set_receive_timeout(session.socket.get(), kQuietTime);
  for (;;) {
    const int fd = ::accept(session.socket.get(), nullptr, nullptr);
    if (fd < 0) {
      if (is_quiet() && !has_line(session.control)) continue;
      return received;
    }
    char byte = 0;
    ssize_t got = 0;
    // The listener's short patience holds for its connections too, and a busy client may need longer.
    do got = ::recv(fd, &byte, 1, 0);
    while (got < 0 && is_quiet() && !has_line(session.control));
    if (got == 1 && ::send(fd, &byte, 1, 0) == 1) received.messages += 1;
    ::close(fd);
  }
}

Received answer_datagrams(Session& session) {
  Received received;
  const int fd = session.socket.get();
  set_receive_timeout(fd, kQuietTime);
  Address peer;
  for (;;) {
    char byte = 0;
    peer.size = sizeof peer.storage;
    sockaddr* const from = reinterpret_cast<sockaddr*>(&peer.storage);
    if (::recvfrom(fd, &byte, 1, 0, from, &peer.size) == 1) {
      ::sendto(fd, &byte, 1, 0, from, peer.size);
      received.messages += 1;
    } else if (!is_quiet() || has_line(session.control)) {
      return received;
    }
  }
}

std::vector<char> receive_buffer(const Session& session, int fd) {
  return std::vector<char>(
      static_cast<std::size_t>(std::max({sizes_of(fd).receive, session.message_size, 1 << 16})));
}

Received receive_stream(Session& session) {
  Received received;
  const int fd = session.connection.get();
  std::vector<char> buffer = receive_buffer(session, fd);
  for (;;) {
    const ssize_t got = ::recv(fd, buffer.data(), buffer.size(), 0);
    if (got <= 0) return received;
    received.bytes += static_cast<double>(got);
    received.messages += 1;
  }
}

Received receive_datagrams(Session& session) {
  Received received;
  const int fd = session.socket.get();
  set_receive_timeout(fd, kQuietTime);
  std::vector<char> buffer = receive_buffer(session, fd);
  for (;;) {
    const ssize_t got = ::recv(fd, buffer.data(), buffer.size(), 0);
    if (got >= 0) {
      received.bytes += static_cast<double>(got);
      received.messages += 1;
    } else if (!is_quiet() || has_line(session.control)) {
      return received;
    }
  }
}

Received send_stream(Session& session) {
  Received sent;
  const int fd = session.connection.get();
  std::vector<char> buffer(static_cast<std::size_t>(session.message_size));
  set_timer(session.request.seconds);
  while (time_is_up == 0) {
    const ssize_t put = ::send(fd, buffer.data(), buffer.size(), 0);
    if (put < 0 && errno != EINTR) break;
    if (put > 0) sent.bytes += static_cast<double>(put);
  }
  cancel_timer();
  ::shutdown(fd, SHUT_WR);
  char rest = 0;
  while (::recv(fd, &rest, 1, 0) > 0) {
  }
  return sent;
}

using Loop = Received (*)(Session& session);

struct Part {
  bool listens;
  bool connected;  // one connection for the whole test
  Loop loop;
};

Part part_of(Kind kind) {
  switch (kind) {
    case Kind::request_response:
      return {true, true, answer_requests};
    case Kind::connect_each_time:
      return {true, false, answer_connections};
    case Kind::stream:
    case Kind::sendfile_stream:
      return {true, true, receive_stream};
    case Kind::reverse_stream:
      return {true, true, send_stream};
    case Kind::datagram_request_response:
      return {false, false, answer_datagrams};
    case Kind::datagram_stream:
      return {false, false, receive_datagrams};
    case Kind::message_stream:
      return {true, false, receive_datagrams};
  }
  return {};
}

// The line the client must send next; false if it has gone instead.
Result<bool> expect_line(int control, const std::string& wanted) {
  ASSIGN_OR_RETURN(const std::optional<std::string> line, read_line(control));
  if (!line) return false;
  if (*line != wanted)
    return failure("expecting '" + wanted + "' on the control connection: got another line");
  return true;
}

Result<Session> open_session(int control, const Part& part, const Request& request) {
  Session session{.control = control, .request = request, .message_size = 1};
  ASSIGN_OR_RETURN(Address address, local_address(control));
  address.set_port(0);
  TRY(check_support(request.test->protocol, address.family() == AF_INET6));
  ASSIGN_OR_RETURN(session.socket, make_socket(*request.test, address.family()));
  const SocketSizes sizes = sizes_of(session.socket.get());
  session.message_size = message_size(*request.test, request.send_size, sizes);
  TRY(bind_and_listen(session.socket.get(), address, part.listens));
  ASSIGN_OR_RETURN(const Address bound, local_address(session.socket.get()));
  TRY(write_line(control, to_line(Offer{bound.port(), sizes, session.message_size})));
  if (part.connected) {
    set_receive_timeout(session.socket.get(), kPatience);  // holds for accept too
    ASSIGN_OR_RETURN(session.connection, accept_from(session.socket.get()));
    set_receive_timeout(session.connection.get(), 0);
  }
  return session;
}

Status run_test(Session& session, const Part& part) {
  const CpuClock cpus;
  const CpuTimes begin = cpus.read();
  const Received received = part.loop(session);
  const CpuTimes end = cpus.read();
  session.connection.reset();  // tells a client that streams that all has arrived
  ASSIGN_OR_RETURN(const bool there, expect_line(session.control, "end"));
  if (!there) return {};
  const ServerResult result{.bytes = received.bytes,
                            .messages = received.messages,
                            .busy_percent = 100 - idle_percent(begin, end),
                            .cpus = static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN))};
  return write_line(session.control, to_line(result));
}

}  // namespace

Status serve_session(int control) {
  const int on = 1;
  ::setsockopt(control, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);  // a client's machine may vanish
  set_receive_timeout(control, kPatience);
  ASSIGN_OR_RETURN(const std::optional<std::string> line, read_line(control));
  if (!line) return {};
  ASSIGN_OR_RETURN(const Request request, read_request(*line));
  const Part part = part_of(request.test->kind);
  ASSIGN_OR_RETURN(Session session, open_session(control, part, request));
  set_receive_timeout(control, 0);
  ASSIGN_OR_RETURN(const bool go, expect_line(control, "go"));
  return go ? run_test(session, part) : Status();
}

}  // namespace kilter::bench::net
