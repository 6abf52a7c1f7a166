#include "bench/net/client.h"

#include "bench/cpu_clock.h"
#include "bench/crew.h"
#include "bench/net/protocol.h"
#include "bench/net/server.h"
#include "bench/net/sockets.h"
#include "bench/net/traffic.h"

#include <csignal>
#include <unistd.h>

namespace kilter::bench::net {
namespace {

constexpr double kPatience = 10;  // seconds, for the server to take its next step

Result<std::string> expect_answer(int control) {
  ASSIGN_OR_RETURN(const std::optional<std::string> line, read_line(control));
  if (!line) return failure("reading from the control connection: the server closed it");
  return *line;
}

// Asks the server for the test and connects to the port it offers.
Result<Traffic> prepare(const Load& load, const Address& server, int control, Report& report) {
  const Request request{.test = load.test, .send_size = load.send_size, .seconds = load.seconds};
  TRY(write_line(control, to_line(request)));
  ASSIGN_OR_RETURN(const std::string answer, expect_answer(control));
  ASSIGN_OR_RETURN(const Offer offer, read_offer(answer));
  Traffic traffic{.test = load.test, .seconds = load.seconds, .peer = server};
  traffic.peer.set_port(offer.port);
  ASSIGN_OR_RETURN(traffic.socket, make_socket(*load.test, server.family()));
  report.local = sizes_of(traffic.socket.get());
  report.remote = offer.sizes;
  traffic.message_size = load.test->kind == Kind::reverse_stream
                             ? offer.message_size
                             : message_size(*load.test, load.send_size, report.local);
  report.message_size = traffic.message_size;
  if (load.test->kind != Kind::connect_each_time) TRY(connect_to(traffic.socket.get(), traffic.peer));
  return traffic;
}

Status take_server_result(int control, Report& report) {
  TRY(write_line(control, "end"));
  ASSIGN_OR_RETURN(const std::string answer, expect_answer(control));
  ASSIGN_OR_RETURN(const ServerResult result, read_result(answer));
  report.remote_bytes = result.bytes;
  report.remote_operations = result.messages;
  report.remote_cpu = result.busy_percent;
  report.remote_cpus = result.cpus;
  return {};
}

Status run_client(const Load& load, const Address& server, Crew& crew, Report& report) {
  ::signal(SIGPIPE, SIG_IGN);
  ASSIGN_OR_RETURN(const os::Fd control, make_control_socket(server.family()));
  TRY(connect_to(control.get(), server));
  set_receive_timeout(control.get(), kPatience);
  ASSIGN_OR_RETURN(Traffic traffic, prepare(load, server, control.get(), report));
  const CpuClock cpus;
  crew.wait_for_start();
  TRY(write_line(control.get(), "go"));
  const CpuTimes begin = cpus.read();
  ASSIGN_OR_RETURN(const Sent sent, run_traffic(traffic));
  report.local_cpu = 100 - idle_percent(begin, cpus.read());
  report.local_cpus = static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN));
  report.elapsed = sent.elapsed;
  report.operations = sent.operations;
  report.errors = sent.errors;
  report.bytes = sent.bytes;
  traffic.socket.reset();
  return take_server_result(control.get(), report);
}

}  // namespace

Result<std::vector<Report>> run_load(const Load& load) {
  TRY(check_support(load.test->protocol, load.ipv6));
  std::optional<OwnServer> own;
  int port = load.port;
  if (load.host.empty()) {
    ASSIGN_OR_RETURN(OwnServer started, OwnServer::start(load.ipv6));
    port = started.port();
    own.emplace(std::move(started));
  }
  ASSIGN_OR_RETURN(const Address server,
                   resolve(load.host.empty() ? "localhost" : load.host, port, load.ipv6));
  const unsigned clients = static_cast<unsigned>(load.clients);
  ASSIGN_OR_RETURN(const SharedArray<Report> reports, SharedArray<Report>::create(clients));
  ASSIGN_OR_RETURN(const std::unique_ptr<Crew> crew, Crew::create(Crew::Kind::processes, clients));
  for (unsigned i = 0; i < clients; ++i)
    TRY(crew->add([&](unsigned member) { return run_client(load, server, *crew, reports[member]); }));
  ASSIGN_OR_RETURN([[maybe_unused]] const double began, crew->start());
  TRY(crew->join());
  return std::vector<Report>(&reports[0], &reports[0] + clients);
}

}  // namespace kilter::bench::net
