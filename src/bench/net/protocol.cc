#include "bench/net/protocol.h"

#include "base/text.h"

#include <fmt/core.h>

#include <algorithm>

namespace kilter::bench::net {
namespace {

constexpr std::string_view kGreeting = "kilter-net";
constexpr std::string_view kVersion = "1";
constexpr int kLargestDatagram = 65507;
constexpr int kMaxPort = 65535;

tl::unexpected<Error> bad_line(const std::string& line) {
  return failure(fmt::format("reading the peer's line '{}': it is not of this protocol", printable(line)),
                 "both ends must be kilter-bench, of like versions");
}

std::optional<double> number(std::string_view word, double least, double most) {
  const std::optional<double> value = parse_double(word);
  return value && *value >= least && *value <= most ? value : std::nullopt;
}

// The words after `verb`, as non-negative numbers; nullopt if they are not `count`.
std::optional<std::vector<double>> numbers(const std::string& line, std::string_view verb,
                                           std::size_t count) {
  const std::vector<std::string_view> parts = words(line);
  if (parts.size() != count + 1 || parts.front() != verb) return std::nullopt;
  std::vector<double> out;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const std::optional<double> value = number(parts[i], 0, 1e18);
    if (!value) return std::nullopt;
    out.push_back(*value);
  }
  return out;
}

int as_int(double value) {
  return static_cast<int>(std::min(value, 2e9));
}

}  // namespace

std::string to_line(const Request& request) {
  return fmt::format("{} {} {} {} {}", kGreeting, kVersion, request.test->name, request.send_size,
                     request.seconds);
}

std::string to_line(const Offer& offer) {
  return fmt::format("port {} {} {} {}", offer.port, offer.sizes.send, offer.sizes.receive,
                     offer.message_size);
}

std::string to_line(const ServerResult& result) {
  return fmt::format("result {:.0f} {:.0f} {:.3f} {}", result.bytes, result.messages, result.busy_percent,
                     result.cpus);
}

Result<Request> read_request(const std::string& line) {
  const std::vector<std::string_view> parts = words(line);
  if (parts.size() != 5 || parts[0] != kGreeting || parts[1] != kVersion) return bad_line(line);
  const Test* test = find_test(parts[2]);
  const std::optional<double> size = number(parts[3], 0, kMaxMessage);
  const std::optional<double> seconds = number(parts[4], 0, kMaxSeconds);
  if (test == nullptr || !size || !seconds) return bad_line(line);
  return Request{.test = test, .send_size = as_int(*size), .seconds = *seconds};
}

Result<Offer> read_offer(const std::string& line) {
  if (line.starts_with("error ")) return failure("the server: " + printable(line.substr(6)));
  const std::optional<std::vector<double>> n = numbers(line, "port", 4);
  if (!n || (*n)[0] < 1 || (*n)[0] > kMaxPort || (*n)[3] > kMaxMessage) return bad_line(line);
  return Offer{.port = as_int((*n)[0]),
               .sizes = {.send = as_int((*n)[1]), .receive = as_int((*n)[2])},
               .message_size = as_int((*n)[3])};
}

Result<ServerResult> read_result(const std::string& line) {
  if (line.starts_with("error ")) return failure("the server: " + printable(line.substr(6)));
  const std::optional<std::vector<double>> n = numbers(line, "result", 4);
  if (!n) return bad_line(line);
  return ServerResult{
      .bytes = (*n)[0], .messages = (*n)[1], .busy_percent = (*n)[2], .cpus = std::max(1, as_int((*n)[3]))};
}

int message_size(const Test& test, int send_size, const SocketSizes& sizes) {
  if (counts_transactions(test.kind)) return 1;
  const int wanted = std::clamp(send_size > 0 ? send_size : sizes.send, 1, kMaxMessage);
  const bool datagrams = test.protocol != Protocol::tcp && (test.protocol == Protocol::udp || send_size == 0);
  return datagrams ? std::min(wanted, kLargestDatagram) : wanted;
}

}  // namespace kilter::bench::net
