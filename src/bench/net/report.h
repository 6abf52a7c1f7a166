#pragma once

#include "bench/net/kind.h"

#include <cstdint>
#include <string>

// netperf's classic output (with -c -C), column for column.
namespace kilter::bench::net {

struct SocketSizes {
  int send = 0;  // bytes of buffer, as the kernel had them before the test
  int receive = 0;
};

// What one client found.
struct Report {
  SocketSizes local;
  SocketSizes remote;
  int message_size = 1;
  double elapsed = 0;            // seconds
  double operations = 0;         // transactions; messages sent without error
  double errors = 0;             // messages that could not be sent
  double bytes = 0;              // sent, or received in a reverse stream
  double remote_operations = 0;  // datagrams received
  double remote_bytes = 0;
  double local_cpu = 0;  // percent of the machine that was busy
  double remote_cpu = 0;
  int local_cpus = 1;  // CPUs of the machine, for the service demand
  int remote_cpus = 1;
};

struct Ends {
  bool ipv6 = false;
  std::string host;
};

// The lines above the data, and the data.
[[nodiscard]] std::string titles(const Test& test, const Ends& ends);
[[nodiscard]] std::string rows(const Test& test, const Report& report);

}  // namespace kilter::bench::net
