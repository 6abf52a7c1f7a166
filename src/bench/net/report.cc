#include "bench/net/report.h"

#include <fmt/core.h>
#include <fmt/printf.h>

namespace kilter::bench::net {
namespace {

constexpr std::string_view kTransactionHead =
    "Local /Remote\n"
    "Socket Size   Request Resp.  Elapsed Trans.   CPU    CPU    S.dem   S.dem\n"
    "Send   Recv   Size    Size   Time    Rate     local  remote local   remote\n";
constexpr std::string_view kTransactionUnits =
    "bytes  bytes  bytes   bytes  secs.   per sec  % S    % S    us/Tr   us/Tr\n\n";
constexpr std::string_view kConnectUnits =
    "bytes  bytes  bytes   bytes  secs.   per sec  %      %      us/Tr   us/Tr\n\n";
constexpr std::string_view kStreamHead =
    "Recv   Send    Send                          Utilization       Service Demand\n";
constexpr std::string_view kStreamSides =
    "Socket Socket  Message  Elapsed              Send     Recv     Send    Recv\n";
constexpr std::string_view kReverseSides =
    "Socket Socket  Message  Elapsed              Recv     Send     Recv    Send\n";
constexpr std::string_view kStreamUnits =
    "Size   Size    Size     Time     Throughput  local    remote   local   remote\n"
    "bytes  bytes   bytes    secs.    10^6bits/s  % S      % S      us/KB   us/KB\n\n";
constexpr std::string_view kDatagramHead =
    "Socket  Message  Elapsed      Messages                   CPU      Service\n"
    "Size    Size     Time         Okay Errors   Throughput   Util     Demand\n"
    "bytes   bytes    secs            #      #   10^6bits/sec % SS     us/KB\n\n";

std::string head(Kind kind) {
  switch (kind) {
    case Kind::request_response:
    case Kind::datagram_request_response:
      return std::string(kTransactionHead) + std::string(kTransactionUnits);
    case Kind::connect_each_time:
      return std::string(kTransactionHead) + std::string(kConnectUnits);
    case Kind::datagram_stream:
      return std::string(kDatagramHead);
    case Kind::reverse_stream:
      return std::string(kStreamHead) + std::string(kReverseSides) + std::string(kStreamUnits);
    case Kind::stream:
    case Kind::sendfile_stream:
    case Kind::message_stream:
      break;
  }
  return std::string(kStreamHead) + std::string(kStreamSides) + std::string(kStreamUnits);
}

double megabits(double bytes, double seconds) {
  return bytes * 8 / 1e6 / seconds;
}

// Microseconds of CPU time per unit of work (a transaction, a KB), over all CPUs of the machine.
double demand(double cpu_percent, int cpus, const Report& report, double work) {
  return work == 0 ? 0 : cpu_percent / 100 * cpus * report.elapsed * 1e6 / work;
}

std::string transaction_rows(const Test& test, const Report& r) {
  const double local = demand(r.local_cpu, r.local_cpus, r, r.operations);
  const double remote = demand(r.remote_cpu, r.remote_cpus, r, r.operations);
  const int width = test.protocol == Protocol::udp ? 11 : 10;
  const std::string line =
      fmt::sprintf("%-6d %-6d %-7d %-6d %-7.2f %-*.2f %-6.2f %-6.2f %-7.3f ", r.local.send, r.local.receive,
                   r.message_size, r.message_size, r.elapsed, width, r.operations / r.elapsed, r.local_cpu,
                   r.remote_cpu, local);
  const std::string last = fmt::sprintf(test.kind == Kind::connect_each_time ? "%-6.3f" : "%-7.3f", remote);
  return line + last + fmt::sprintf("\n%-6d %-6d\n", r.remote.send, r.remote.receive);
}

std::string stream_rows(const Test& test, const Report& r) {
  const bool reverse = test.kind == Kind::reverse_stream;
  const int receive = reverse ? r.local.receive : r.remote.receive;
  const int send = reverse ? r.remote.send : r.local.send;
  const double local = demand(r.local_cpu, r.local_cpus, r, r.bytes / 1024);
  const double remote = demand(r.remote_cpu, r.remote_cpus, r, r.bytes / 1024);
  return fmt::sprintf("%5d %6d %6d    %-6.2f     %7.2f   %-6.2f   %-6.2f   ", receive, send, r.message_size,
                      r.elapsed, megabits(r.bytes, r.elapsed), r.local_cpu, r.remote_cpu) +
         (test.protocol == Protocol::sctp ? fmt::sprintf("%-6.3f  %-6.3f\n", local, remote)
                                          : fmt::sprintf("%-7.3f %-7.3f\n", local, remote));
}

std::string datagram_rows(const Report& r) {
  const double local = demand(r.local_cpu, r.local_cpus, r, r.bytes / 1024);
  const double remote = demand(r.remote_cpu, r.remote_cpus, r, r.bytes / 1024);
  return fmt::sprintf("%5d   %5d   %-7.2f  %8.0f %6.0f    %7.1f     %-6.2f   %-6.3f\n", r.local.send,
                      r.message_size, r.elapsed, r.operations, r.errors, megabits(r.bytes, r.elapsed),
                      r.local_cpu, local) +
         fmt::sprintf("%5d           %-7.2f  %8.0f           %7.1f     %-6.2f   %-6.3f\n\n", r.remote.receive,
                      r.elapsed, r.remote_operations, megabits(r.remote_bytes, r.elapsed), r.remote_cpu,
                      remote);
}

}  // namespace

std::string titles(const Test& test, const Ends& ends) {
  const std::string_view family = ends.ipv6 ? "AF_INET6" : "AF_INET";
  const std::string_view any = ends.ipv6 ? "::0 (::)" : "0.0.0.0 (0.0.0.0)";
  const bool burst = counts_transactions(test.kind) && test.kind != Kind::connect_each_time;
  return fmt::format("{} from {} port 0 {} to {} () port 0 {} : demo{}\n{}", test.title, any, family,
                     ends.host, family, burst ? " : first burst 0" : "", head(test.kind));
}

std::string rows(const Test& test, const Report& report) {
  if (counts_transactions(test.kind)) return transaction_rows(test, report);
  return test.kind == Kind::datagram_stream ? datagram_rows(report) : stream_rows(test, report);
}

}  // namespace kilter::bench::net
