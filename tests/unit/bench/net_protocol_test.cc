#include "bench/net/protocol.h"

#include <doctest/doctest.h>

using namespace kilter::bench::net;

TEST_CASE("what one end says the other reads") {
  const auto request = read_request(to_line(Request{find_test("UDP_STREAM"), 1024, 2.5}));
  REQUIRE(request);
  CHECK(request->test->name == "UDP_STREAM");
  CHECK(request->send_size == 1024);
  CHECK(request->seconds == 2.5);
  const auto offer = read_offer(to_line(Offer{4000, {1, 2}, 3}));
  REQUIRE(offer);
  CHECK(offer->port == 4000);
  CHECK(offer->sizes.receive == 2);
  CHECK(offer->message_size == 3);
  const auto result = read_result(to_line(ServerResult{1e15, 7, 33.25, 4}));
  REQUIRE(result);
  CHECK(result->bytes == 1e15);
  CHECK(result->busy_percent == 33.25);
}

TEST_CASE("hostile lines are refused") {
  for (const char* line : {"", "kilter-net 1 TCP_RR 1", "kilter-net 2 TCP_RR 0 1", "kilter-net 1 NOPE 0 1",
                           "kilter-net 1 TCP_RR -1 1", "kilter-net 1 TCP_STREAM 99999999999 1",
                           "kilter-net 1 TCP_RR 0 nan", "kilter-net 1 TCP_RR 0 1e300"})
    CHECK_FALSE(read_request(line));
  for (const char* line :
       {"", "port", "port 0 1 1 1", "port 70000 1 1 1", "port 1 1 1 99999999", "port a b c d"})
    CHECK_FALSE(read_offer(line));
  for (const char* line : {"", "result 1 2 3", "result 1 2 3 -4", "result inf 0 0 1"})
    CHECK_FALSE(read_result(line));
}

TEST_CASE("an error of the server is told without its control characters") {
  const auto offer = read_offer("error too many\x1b[2J clients");
  REQUIRE_FALSE(offer);
  CHECK(offer.error().message == "the server: too many[2J clients");
}

TEST_CASE("a message is as large as the send buffer unless a size is given, and fits a datagram") {
  const SocketSizes sizes{.send = 212992, .receive = 1};
  CHECK(message_size(*find_test("TCP_STREAM"), 0, sizes) == 212992);
  CHECK(message_size(*find_test("TCP_STREAM"), 1024, sizes) == 1024);
  CHECK(message_size(*find_test("UDP_STREAM"), 0, sizes) == 65507);
  CHECK(message_size(*find_test("UDP_STREAM"), 100000, sizes) == 65507);
  CHECK(message_size(*find_test("TCP_RR"), 1024, sizes) == 1);
}
