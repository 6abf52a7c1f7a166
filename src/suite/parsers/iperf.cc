#include "suite/parsers/json_text.h"
#include "suite/parsers/parsers.h"
#include "suite/parsers/scan.h"

// iperf3 -J, one document per client.
namespace kilter::suite {
namespace {

using Json = nlohmann::json;

void collect(const Json& end, const char* sum, const char* member, std::vector<double>& values) {
  const Json& value = child(child(end, sum), member);
  if (value.is_number()) values.push_back(value.get<double>());
}

void collect(const Json& end, const char* sum, std::vector<double>& rates) {
  collect(end, sum, "bits_per_second", rates);
}

void add_mean(ParsedOutput& parsed, const char* key, const std::vector<double>& rates) {
  if (!rates.empty()) parsed.add_float(key, mean(rates));
}

}  // namespace

void parse_iperf(const RawOutput& output, ParsedOutput& parsed) {
  std::vector<double> sent;
  std::vector<double> received;
  std::vector<double> udp;  // as the sender has it
  std::vector<double> udp_received;
  std::vector<double> udp_lost;
  for (const Json& document : json_documents(output.text)) {
    const Json& end = child(document, "end");
    const Json& protocol = child(child(child(document, "start"), "test_start"), "protocol");
    if (protocol.is_string() && protocol.get<std::string>() == "UDP") {
      collect(end, "sum", udp);
      collect(end, "sum_received", udp_received);
      if (!child(end, "sum_received").empty()) collect(end, "sum", "lost_percent", udp_lost);
    } else {
      collect(end, "sum_sent", sent);
      collect(end, "sum_received", received);
    }
  }
  add_mean(parsed, "tcp.sender.bps", sent);
  add_mean(parsed, "tcp.receiver.bps", received);
  add_mean(parsed, "udp.bps", udp);
  add_mean(parsed, "udp.receiver.bps", udp_received);
  add_mean(parsed, "udp.lost_percent", udp_lost);
}

}  // namespace kilter::suite
