#include "base/text.h"
#include "bench/command.h"
#include "bench/net/client.h"
#include "bench/net/protocol.h"
#include "bench/net/server.h"

#include <fmt/core.h>

#include <cstdio>

namespace kilter::bench {
namespace {

constexpr int kMaxClients = 4096;
constexpr int kMaxPort = 65535;

Result<const net::Test*> choose(const std::string& name) {
  if (const net::Test* test = net::find_test(name); test != nullptr) return test;
  std::vector<std::string> names;
  for (const net::Test& test : net::tests()) names.emplace_back(test.name);
  const std::string known = "one of: " + join(names, " ");
  if (name.empty()) return usage_error("choosing a test: --test is missing", known);
  return usage_error(fmt::format("choosing a test: there is no '{}'", printable(name)),
                     suggest(name, names, known));
}

void print(const net::Load& load, const std::vector<net::Report>& reports, bool bare) {
  const net::Ends ends{.ipv6 = load.ipv6,
                       .host = !load.host.empty() ? load.host
                               : load.ipv6        ? "::1"
                                                  : "127.0.0.1"};
  for (const net::Report& report : reports) {
    if (!bare) std::fputs(net::titles(*load.test, ends).c_str(), stdout);
    std::fputs(net::rows(*load.test, report).c_str(), stdout);
  }
}

}  // namespace

Result<int> run_net(Args args) {
  net::Load load{.port = net::kDefaultPort};
  std::string name;
  bool bare = false;
  bool check = false;
  bool help = false;
  const std::vector<Flag> flags = {
      {"--test", 't', "NAME", "one of those above", text(name)},
      {"--clients", 'c', "N", "that start together (default 1)", whole(load.clients, {1, kMaxClients})},
      {"--seconds", 's', "S", "fractions allowed (default 10)",
       real(load.seconds, {0.001, net::kMaxSeconds})},
      {"--host", 'H', "ADDRESS", "where `kilter-bench net-server` runs (default: a server here)",
       text(load.host)},
      {"--port", 'p', "P", "of that server (default 12866)", whole(load.port, {1, kMaxPort})},
      {"--ipv6", '6', "", "over IPv6", set_true(load.ipv6)},
      {"--send-size", 'm', "B", "bytes of one message of a stream (default: the send buffer)",
       bytes(load.send_size, {1, net::kMaxMessage})},
      {"--bare", 'P', "", "data rows only, no titles", set_true(bare)},
      {"--check", 0, "", "only say whether the test can run here", set_true(check)},
      {"--help", 'h', "", "this text", set_true(help)},
  };
  ASSIGN_OR_RETURN(const std::vector<std::string_view> words, parse_flags(flags, args));
  if (help) {
    print_help(
        "kilter-bench net --test NAME [FLAGS]",
        "Exchanges requests and responses of 1 byte, or streams, between clients and a server; prints\n"
        "netperf's output, a block for each client. Tests:\n"
        "  TCP_RR TCP_CRR TCP_STREAM TCP_MAERTS TCP_SENDFILE UDP_RR UDP_STREAM\n"
        "  SCTP_RR SCTP_STREAM SCTP_STREAM_MANY",
        flags,
        "  kilter-bench net --test TCP_RR --clients 4 --seconds 10\n"
        "  kilter-bench net --test TCP_STREAM --host 192.0.2.7 --send-size 10K\n");
    return 0;
  }
  TRY(no_words(words));
  ASSIGN_OR_RETURN(load.test, choose(name));
  if (check) {
    TRY(net::check_support(load.test->protocol, load.ipv6));
    std::printf("%s can run here\n", name.c_str());
    return 0;
  }
  ASSIGN_OR_RETURN(const std::vector<net::Report> reports, net::run_load(load));
  print(load, reports, bare);
  return 0;
}

Result<int> run_net_server(Args args) {
  int port = net::kDefaultPort;
  bool ipv6 = false;
  bool help = false;
  const std::vector<Flag> flags = {
      {"--port", 'p', "P", "to listen on (default 12866; 0: any free one)", whole(port, {0, kMaxPort})},
      {"--ipv6", '6', "", "over IPv6", set_true(ipv6)},
      {"--help", 'h', "", "this text", set_true(help)},
  };
  ASSIGN_OR_RETURN(const std::vector<std::string_view> words, parse_flags(flags, args));
  if (help) {
    print_help(
        "kilter-bench net-server [FLAGS]",
        "Serves the clients of `kilter-bench net --host`, on all addresses, until it is ended. Anyone who\n"
        "can reach the port can load this machine: run it in a network you trust.",
        flags, "  kilter-bench net-server --port 12866\n");
    return 0;
  }
  TRY(no_words(words));
  ASSIGN_OR_RETURN(const net::Listener listener, net::listen_for_clients(net::any_address(port, ipv6)));
  std::printf("listening on port %d\n", listener.port);
  TRY(net::serve(listener));
  return 0;
}

}  // namespace kilter::bench
