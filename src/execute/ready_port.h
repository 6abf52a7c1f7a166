#pragma once

#include "base/result.h"
#include "os/files.h"

#include <cstdint>
#include <string_view>

namespace kilter::execute {

// A port a daemon is waited for: "tcp:12865", "udp:5001".
struct ReadyPort {
  bool udp = false;
  std::uint16_t number = 0;
};
[[nodiscard]] Result<ReadyPort> parse_ready_port(std::string_view text);

// Whether a socket of this machine serves the port on loopback, read from /proc/net: the daemon itself sees
// nothing of the question, as it would of a connection.
[[nodiscard]] bool is_served(const os::Root& root, const ReadyPort& port);

}  // namespace kilter::execute
