#include "suite/parsers/json_text.h"
#include "suite/parsers/parsers.h"
#include "suite/parsers/scan.h"

// iperf3 -J, one document per client.
namespace kilter::suite {
namespace {

using Json = nlohmann::json;

void collect(const Json& end, const char* member, std::vector<double>& rates) {
  const Json& rate = child(child(end, member), "bits_per_second");
  if (rate.is_number()) rates.push_back(rate.get<double>());
}

void add_mean(ParsedOutput& parsed, const char* key, const std::vector<double>& rates) {
  if (!rates.empty()) parsed.add_float(key, mean(rates));
}

}  // namespace

void parse_iperf(const RawOutput& output, ParsedOutput& parsed) {
  std::vector<double> sent;
  std::vector<double> received;
  std::vector<double> udp;
  for (const Json& document : json_documents(output.text)) {
    const Json& end = child(document, "end");
    const Json& protocol = child(child(child(document, "start"), "test_start"), "protocol");
    if (protocol.is_string() && protocol.get<std::string>() == "UDP") {
      collect(end, "sum", udp);
    } else {
      collect(end, "sum_sent", sent);
      collect(end, "sum_received", received);
    }
  }
  add_mean(parsed, "tcp.sender.bps", sent);
  add_mean(parsed, "tcp.receiver.bps", received);
  add_mean(parsed, "udp.bps", udp);
}

}  // namespace kilter::suite
