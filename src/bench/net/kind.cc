#include "bench/net/kind.h"

namespace kilter::bench::net {
namespace {

constexpr Test kTests[] = {
    {"TCP_RR", Kind::request_response, Protocol::tcp, "MIGRATED TCP REQUEST/RESPONSE TEST"},
    {"TCP_CRR", Kind::connect_each_time, Protocol::tcp, "MIGRATED TCP Connect/Request/Response TEST"},
    {"TCP_STREAM", Kind::stream, Protocol::tcp, "MIGRATED TCP STREAM TEST"},
    {"TCP_MAERTS", Kind::reverse_stream, Protocol::tcp, "MIGRATED TCP MAERTS TEST"},
    {"TCP_SENDFILE", Kind::sendfile_stream, Protocol::tcp, "TCP SENDFILE TEST"},
    {"UDP_RR", Kind::datagram_request_response, Protocol::udp, "MIGRATED UDP REQUEST/RESPONSE TEST"},
    {"UDP_STREAM", Kind::datagram_stream, Protocol::udp, "MIGRATED UDP STREAM TEST"},
    {"SCTP_RR", Kind::request_response, Protocol::sctp, "SCTP REQUEST/RESPONSE TEST"},
    {"SCTP_STREAM", Kind::stream, Protocol::sctp, "SCTP 1-TO-1 STREAM TEST"},
    {"SCTP_STREAM_MANY", Kind::message_stream, Protocol::sctp, "SCTP 1-TO-MANY STREAM TEST"},
};

}  // namespace

std::span<const Test> tests() {
  return kTests;
}

const Test* find_test(std::string_view name) {
  for (const Test& test : kTests)
    if (test.name == name) return &test;
  return nullptr;
}

bool counts_transactions(Kind kind) {
  return kind == Kind::request_response || kind == Kind::connect_each_time ||
         kind == Kind::datagram_request_response;
}

}  // namespace kilter::bench::net
