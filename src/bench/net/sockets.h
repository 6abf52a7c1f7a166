#pragma once

#include "base/result.h"
#include "bench/net/kind.h"
#include "bench/net/report.h"
#include "os/fd.h"

#include <sys/socket.h>

#include <optional>
#include <string>

// Sockets, and the lines both ends exchange over the control connection.
namespace kilter::bench::net {

struct Address {
  sockaddr_storage storage{};
  socklen_t size = 0;

  [[nodiscard]] int family() const { return storage.ss_family; }
  [[nodiscard]] int port() const;
  void set_port(int port);
  [[nodiscard]] std::string text() const;  // "127.0.0.1", "::1"
};

// A number, or "localhost"; IPv4 unless `ipv6`.
[[nodiscard]] Result<Address> resolve(const std::string& host, int port, bool ipv6);
[[nodiscard]] Address any_address(int port, bool ipv6);
[[nodiscard]] Result<Address> local_address(int socket);

// "SCTP is not supported by this kernel", or that IPv6 is not, or nothing is wrong.
[[nodiscard]] Status check_support(Protocol protocol, bool ipv6);

[[nodiscard]] Result<os::Fd> make_socket(const Test& test, int family);
[[nodiscard]] Result<os::Fd> make_control_socket(int family);
// Bound to `address` (port 0: any free one), listening unless it is a datagram socket.
[[nodiscard]] Status bind_and_listen(int socket, const Address& address, bool listens);
[[nodiscard]] Result<os::Fd> accept_from(int listener);
[[nodiscard]] Status connect_to(int socket, const Address& address);
[[nodiscard]] SocketSizes sizes_of(int socket);
void set_receive_timeout(int socket, double seconds);

// One line, without its end. At most 256 bytes; nullopt when the peer has gone.
[[nodiscard]] Result<std::optional<std::string>> read_line(int socket);
[[nodiscard]] Status write_line(int socket, std::string line);
// True once there is a line to read, or the peer has gone. Never waits.
[[nodiscard]] bool has_line(int socket);

}  // namespace kilter::bench::net
