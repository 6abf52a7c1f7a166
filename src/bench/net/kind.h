#pragma once

#include <span>
#include <string_view>

// The tests of the network engine, by netperf's names. A test is a row: how it moves data, over what.
namespace kilter::bench::net {

enum class Kind {
  request_response,   // 1 byte there, 1 byte back, over one connection
  connect_each_time,  // the same, a connection for each
  stream,             // client to server
  reverse_stream,     // server to client
  sendfile_stream,    // client to server out of a file
  datagram_request_response,
  datagram_stream,  // what is not received is lost
  message_stream,   // one-to-many sockets: no connection of its own, nothing lost
};

enum class Protocol { tcp, udp, sctp };

struct Test {
  std::string_view name;
  Kind kind;
  Protocol protocol;
  std::string_view title;  // in netperf's output, before "from ... to ..."
};

[[nodiscard]] std::span<const Test> tests();
[[nodiscard]] const Test* find_test(std::string_view name);
[[nodiscard]] bool counts_transactions(Kind kind);

}  // namespace kilter::bench::net
