#pragma once

#include "base/result.h"
#include "bench/net/kind.h"
#include "bench/net/report.h"

#include <functional>
#include <string>
#include <vector>

// The near end: a number of clients that start together.
namespace kilter::bench::net {

struct Load {
  const Test* test = nullptr;
  int clients = 1;
  double seconds = 10;
  std::string host;  // empty: a server of our own on the loopback interface
  int port = 0;
  bool ipv6 = false;
  int send_size = 0;  // 0: the size of the socket's send buffer
};

// One report a client. Blocks for about `seconds`.
[[nodiscard]] Result<std::vector<Report>> run_load(const Load& load);

}  // namespace kilter::bench::net
