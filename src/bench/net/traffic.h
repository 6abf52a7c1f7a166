#pragma once

#include "base/result.h"
#include "bench/net/kind.h"
#include "bench/net/sockets.h"

// The client's measuring loops: bare system calls on a blocking socket, and one look at a flag.
namespace kilter::bench::net {

struct Traffic {
  const Test* test = nullptr;
  double seconds = 0;
  Address peer;
  os::Fd socket;  // connected, except where each operation makes a connection
  int message_size = 1;
};

struct Sent {
  double elapsed = 0;     // seconds, until the last byte had arrived where the protocol tells
  double operations = 0;  // transactions, or messages
  double errors = 0;      // messages that could not be sent for want of buffers
  double bytes = 0;
};

[[nodiscard]] Result<Sent> run_traffic(Traffic& traffic);

}  // namespace kilter::bench::net
