#pragma once

#include "base/result.h"
#include "bench/net/kind.h"
#include "bench/net/report.h"

#include <optional>
#include <string>

// What client and server say to each other over the control connection, a line each:
//   client  kilter-net 1 TEST SEND_SIZE SECONDS
//   server  port PORT SEND_BUFFER RECEIVE_BUFFER MESSAGE_SIZE     or   error TEXT
//           (both ends connect; the client waits for its fellows)
//   client  go
//           (the test)
//   client  end
//   server  result BYTES MESSAGES BUSY_PERCENT CPUS
namespace kilter::bench::net {

inline constexpr int kDefaultPort = 12866;
inline constexpr int kMaxMessage = 1 << 24;
inline constexpr double kMaxSeconds = 1e6;

struct Request {
  const Test* test = nullptr;
  int send_size = 0;  // 0: the size of the socket's send buffer, and never more than a datagram holds
  double seconds = 0;
};

struct Offer {
  int port = 0;
  SocketSizes sizes;
  int message_size = 0;  // what the server sends in a reverse stream
};

struct ServerResult {
  double bytes = 0;
  double messages = 0;
  double busy_percent = 0;
  int cpus = 1;
};

[[nodiscard]] std::string to_line(const Request& request);
[[nodiscard]] std::string to_line(const Offer& offer);
[[nodiscard]] std::string to_line(const ServerResult& result);
// Errors say what is wrong with the line; it comes from the network.
[[nodiscard]] Result<Request> read_request(const std::string& line);
[[nodiscard]] Result<Offer> read_offer(const std::string& line);
[[nodiscard]] Result<ServerResult> read_result(const std::string& line);

// The size of one message of a stream.
[[nodiscard]] int message_size(const Test& test, int send_size, const SocketSizes& sizes);

}  // namespace kilter::bench::net
