#include "bench/net/sockets.h"

#include "base/text.h"
#include "os/files.h"

#include <arpa/inet.h>
#include <fmt/core.h>
#include <netinet/in.h>
#include <sys/time.h>

#include <cerrno>
#include <cmath>
#include <netdb.h>
#include <poll.h>

namespace kilter::bench::net {
namespace {

constexpr std::size_t kLongestLine = 256;

int socket_type(Kind kind) {
  switch (kind) {
    case Kind::datagram_request_response:
    case Kind::datagram_stream:
      return SOCK_DGRAM;
    case Kind::message_stream:
      return SOCK_SEQPACKET;
    default:
      return SOCK_STREAM;
  }
}

int protocol_number(Protocol protocol) {
  switch (protocol) {
    case Protocol::tcp:
      return IPPROTO_TCP;
    case Protocol::udp:
      return IPPROTO_UDP;
    case Protocol::sctp:
      return IPPROTO_SCTP;
  }
  return 0;
}

tl::unexpected<Error> system_failure(std::string_view action) {
  return failure(fmt::format("{}: {}", action, os::errno_text(errno)));
}

int integer_option(int socket, int name) {
  int value = 0;
  socklen_t size = sizeof value;
  ::getsockopt(socket, SOL_SOCKET, name, &value, &size);
  return value;
}

// The network byte order number in either kind of address.
in_port_t& port_of(sockaddr_storage& storage) {
  return storage.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6&>(storage).sin6_port
                                       : reinterpret_cast<sockaddr_in&>(storage).sin_port;
}

}  // namespace

int Address::port() const {
  sockaddr_storage copy = storage;
  return ntohs(port_of(copy));
}

void Address::set_port(int port) {
  port_of(storage) = htons(static_cast<std::uint16_t>(port));
}

std::string Address::text() const {
  char buffer[INET6_ADDRSTRLEN] = "";
  const void* bytes =
      family() == AF_INET6
          ? static_cast<const void*>(&reinterpret_cast<const sockaddr_in6&>(storage).sin6_addr)
          : static_cast<const void*>(&reinterpret_cast<const sockaddr_in&>(storage).sin_addr);
  ::inet_ntop(family(), bytes, buffer, sizeof buffer);
  return buffer;
}

Address any_address(int port, bool ipv6) {
  Address address;
  address.storage.ss_family = ipv6 ? AF_INET6 : AF_INET;  // all other bytes 0: any address
  address.size = ipv6 ? sizeof(sockaddr_in6) : sizeof(sockaddr_in);
  address.set_port(port);
  return address;
}

Result<Address> resolve(const std::string& host, int port, bool ipv6) {
  Address address = any_address(port, ipv6);
  // Numbers are read here: the resolver of a static program loads shared libraries, where there are any.
  void* bytes = ipv6 ? static_cast<void*>(&reinterpret_cast<sockaddr_in6&>(address.storage).sin6_addr)
                     : static_cast<void*>(&reinterpret_cast<sockaddr_in&>(address.storage).sin_addr);
  if (::inet_pton(address.family(), host.c_str(), bytes) == 1) return address;
  if (host == "localhost") return resolve(ipv6 ? "::1" : "127.0.0.1", port, ipv6);
  return failure(
      fmt::format("finding the host '{}': it is not an {} address", printable(host), ipv6 ? "IPv6" : "IPv4"),
      "give the address as a number; `getent hosts NAME` shows it");
}

Result<Address> local_address(int socket) {
  Address address;
  address.size = sizeof address.storage;
  if (::getsockname(socket, reinterpret_cast<sockaddr*>(&address.storage), &address.size) != 0)
    return system_failure("asking a socket for its address");
  return address;
}

Status check_support(Protocol protocol, bool ipv6) {
  const int family = ipv6 ? AF_INET6 : AF_INET;
  const int type = protocol == Protocol::udp ? SOCK_DGRAM : SOCK_STREAM;
  const os::Fd probe(::socket(family, type | SOCK_CLOEXEC, protocol_number(protocol)));
  if (probe) return {};
  if (errno == EPROTONOSUPPORT || errno == ESOCKTNOSUPPORT || errno == EINVAL)
    if (protocol == Protocol::sctp)
      return failure("SCTP is not supported by this kernel",
                     "where it is a module, `modprobe sctp` loads it");
  if (errno == EAFNOSUPPORT) return failure("IPv6 is not supported by this kernel");
  return system_failure("making a socket");
}

Result<os::Fd> make_socket(const Test& test, int family) {
  os::Fd made(::socket(family, socket_type(test.kind) | SOCK_CLOEXEC, protocol_number(test.protocol)));
  if (!made) return system_failure("making a socket");
  return made;
}

Result<os::Fd> make_control_socket(int family) {
  os::Fd made(::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!made) return system_failure("making a socket");
  const int on = 1;
  ::setsockopt(made.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  return made;
}

Status bind_and_listen(int socket, const Address& address, bool listens) {
  if (::bind(socket, reinterpret_cast<const sockaddr*>(&address.storage), address.size) != 0)
    return failure(fmt::format("binding to port {}: {}", address.port(), os::errno_text(errno)));
  if (listens && ::listen(socket, SOMAXCONN) != 0) return system_failure("listening");
  return {};
}

Result<os::Fd> accept_from(int listener) {
  for (;;) {
    os::Fd accepted(::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC));
    if (accepted) return accepted;
    if (errno != EINTR && errno != ECONNABORTED) return system_failure("accepting a connection");
  }
}

Status connect_to(int socket, const Address& address) {
  if (::connect(socket, reinterpret_cast<const sockaddr*>(&address.storage), address.size) != 0)
    return failure(
        fmt::format("connecting to {} port {}: {}", address.text(), address.port(), os::errno_text(errno)));
  return {};
}

SocketSizes sizes_of(int socket) {
  return {.send = integer_option(socket, SO_SNDBUF), .receive = integer_option(socket, SO_RCVBUF)};
}

void set_receive_timeout(int socket, double seconds) {
  timeval timeout{};
  timeout.tv_sec = static_cast<time_t>(seconds);
  timeout.tv_usec = static_cast<suseconds_t>((seconds - std::floor(seconds)) * 1e6);
  ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
}

Result<std::optional<std::string>> read_line(int socket) {
  std::string line;
  for (;;) {
    char letter = 0;
    const ssize_t got = ::recv(socket, &letter, 1, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN)
      return failure("waiting for an answer on the control connection: none came",
                     "is that port a kilter-bench net-server?");
    if (got < 0) return system_failure("reading from the control connection");
    if (got == 0) return std::optional<std::string>();
    if (letter == '\n') return std::optional(line);
    line += letter;
    if (line.size() > kLongestLine)
      return failure("reading from the control connection: the line is too long");
  }
}

Status write_line(int socket, std::string line) {
  line += '\n';
  // Short enough for any socket buffer: it goes in whole.
  for (;;) {
    const ssize_t sent = ::send(socket, line.data(), line.size(), MSG_NOSIGNAL);
    if (sent == static_cast<ssize_t>(line.size())) return {};
    if (errno != EINTR) return system_failure("writing to the control connection");
  }
}

bool has_line(int socket) {
  pollfd entry{socket, POLLIN, 0};
  return ::poll(&entry, 1, 0) == 1;
}

}  // namespace kilter::bench::net
