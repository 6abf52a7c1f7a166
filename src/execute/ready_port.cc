#include "execute/ready_port.h"

#include "base/text.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

namespace kilter::execute {
namespace {

constexpr std::string_view kListen = "0A";       // TCP_LISTEN
constexpr std::string_view kUnconnected = "07";  // how a bound UDP socket looks
constexpr std::array<std::string_view, 6> kLoopback = {
    "00000000",                          // 0.0.0.0
    "0100007F",                          // 127.0.0.1
    "00000000000000000000000000000000",  // ::
    "00000000000000000000000001000000",  // ::1
    "0000000000000000FFFF00000100007F",  // ::ffff:127.0.0.1
    "0000000000000000FFFF000000000000"};

// One line: "  0: 0100007F:3241 00000000:0000 0A ...".
bool serves(std::string_view line, const ReadyPort& port) {
  const std::vector<std::string_view> field = words(line);
  if (field.size() < 4 || field[3] != (port.udp ? kUnconnected : kListen)) return false;
  const std::size_t colon = field[1].find(':');
  if (colon == std::string_view::npos) return false;
  unsigned number = 0;
  const std::string_view digits = field[1].substr(colon + 1);
  std::from_chars(digits.data(), digits.data() + digits.size(), number, 16);
  return number == port.number && std::ranges::find(kLoopback, field[1].substr(0, colon)) != kLoopback.end();
}

}  // namespace

Result<ReadyPort> parse_ready_port(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view protocol = text.substr(0, colon);
  const std::optional<std::int64_t> number =
      colon == std::string_view::npos ? std::nullopt : parse_int(text.substr(colon + 1));
  if ((protocol != "tcp" && protocol != "udp") || !number || *number < 1 || *number > 65535)
    return usage_error(
        fmt::format("reading port '{}': not of the form tcp:PORT or udp:PORT", printable(text)));
  return ReadyPort{.udp = protocol == "udp", .number = static_cast<std::uint16_t>(*number)};
}

bool is_served(const os::Root& root, const ReadyPort& port) {
  const std::string file = port.udp ? "/proc/net/udp" : "/proc/net/tcp";
  for (const std::string& path : {file, file + "6"}) {
    const Result<std::string> text = root.read(path);
    if (!text) continue;
    for (const std::string_view line : lines(*text))
      if (serves(line, port)) return true;
  }
  return false;
}

}  // namespace kilter::execute
