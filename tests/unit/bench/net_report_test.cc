#include "bench/net/report.h"
#include "os/files.h"

#include <doctest/doctest.h>

using namespace kilter;
using namespace kilter::bench::net;

namespace {

// The first client's block of real netperf output.
std::string captured(const std::string& test) {
  const Result<std::string> text = os::read_file(TESTS_DIR "/golden/bench/netperf-" + test + "-2clients.txt");
  REQUIRE(text);
  return text->substr(0, text->find("MIGRATED", 1));
}

std::string ours(const std::string& name, const Report& report) {
  const Test* test = find_test(name);
  REQUIRE(test != nullptr);
  return titles(*test, {.host = "127.0.0.1"}) + rows(*test, report);
}

constexpr SocketSizes kTcp = {.send = 16384, .receive = 131072};
constexpr SocketSizes kUdp = {.send = 212992, .receive = 212992};

}  // namespace

TEST_CASE("transactions are reported as netperf reports them, byte for byte") {
  Report report{.local = kTcp,
                .remote = kTcp,
                .elapsed = 2,
                .operations = 2 * 172805.86,
                .local_cpu = 98.5,
                .remote_cpu = 98.5,
                .local_cpus = 2,
                .remote_cpus = 2};
  CHECK(ours("TCP_RR", report) == captured("TCP_RR"));
  report.local = report.remote = kUdp;
  report.operations = 2 * 197568.34;
  report.local_cpu = report.remote_cpu = 99.5;
  CHECK(ours("UDP_RR", report) == captured("UDP_RR"));
}

TEST_CASE("connections are reported as netperf reports them, byte for byte") {
  const Report report{.local = kTcp,
                      .remote = kTcp,
                      .elapsed = 2,
                      .operations = 2 * 35826.26,
                      .local_cpu = 100,
                      .remote_cpu = 106.238,
                      .local_cpus = 2,
                      .remote_cpus = 2};
  CHECK(ours("TCP_CRR", report) == captured("TCP_CRR"));
}

TEST_CASE("streams are reported as netperf reports them, byte for byte") {
  Report report{.local = kTcp,
                .remote = kTcp,
                .message_size = 16384,
                .elapsed = 2,
                .bytes = 19672.73e6 / 8 * 2,
                .local_cpu = 100,
                .remote_cpu = 100,
                .local_cpus = 2,
                .remote_cpus = 2};
  CHECK(ours("TCP_STREAM", report) == captured("TCP_STREAM"));
  report.bytes = 19372.91e6 / 8 * 2;
  CHECK(ours("TCP_MAERTS", report) == captured("TCP_MAERTS"));
}

TEST_CASE("datagrams are reported as netperf reports them, byte for byte") {
  const Report report{.local = kUdp,
                      .remote = kUdp,
                      .message_size = 1024,
                      .elapsed = 2.00145,
                      .operations = 952037,
                      .bytes = 952037 * 1024.0,
                      .remote_operations = 359374,
                      .remote_bytes = 359374 * 1024.0,
                      .local_cpu = 100,
                      .remote_cpu = 100,
                      .local_cpus = 2,
                      .remote_cpus = 2};
  CHECK(ours("UDP_STREAM", report) == captured("UDP_STREAM"));
}

TEST_CASE("an SCTP stream has netperf's title and columns") {
  const Report report{.local = kUdp,
                      .remote = kUdp,
                      .message_size = 10240,
                      .elapsed = 300,
                      .bytes = 7572.02e6 / 8 * 300,
                      .local_cpu = 32.07,
                      .remote_cpu = 32.07,
                      .local_cpus = 128,
                      .remote_cpus = 128};
  const std::string text = ours("SCTP_STREAM_MANY", report);
  CHECK(text.starts_with(
      "SCTP 1-TO-MANY STREAM TEST from 0.0.0.0 (0.0.0.0) port 0 AF_INET to 127.0.0.1 () port 0 "
      "AF_INET : demo\n"));
  CHECK(text.find("\n212992 212992  10240    300.00     7572.02   32.07    32.07    44.4") !=
        std::string::npos);
}

TEST_CASE("nothing done in a test gives zeros, not a division by zero") {
  Report report{.local = kTcp, .remote = kTcp, .elapsed = 1, .local_cpu = 50, .remote_cpu = 50};
  CHECK(ours("TCP_RR", report).find("0.00       50.00") != std::string::npos);
  CHECK(ours("TCP_RR", report).find("inf") == std::string::npos);
}
