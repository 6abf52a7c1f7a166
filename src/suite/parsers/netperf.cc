#include "base/text.h"
#include "suite/parsers/parsers.h"
#include "suite/parsers/scan.h"

#include <algorithm>

// The title lines tell the unit and where the result, the elapsed time and the message size stand:
//   Socket Size   Request Resp.  Elapsed Trans.
//   Send   Recv   Size    Size   Time    Rate
//   bytes  bytes  bytes   bytes  secs.   per sec
// and a UDP stream has a second row per client, the receiver's, without message size and error columns.
namespace kilter::suite {
namespace {

using Words = std::vector<std::string_view>;

struct NetperfLog {
  std::string unit;
  std::size_t result = 0;
  std::optional<std::size_t> elapsed;
  std::optional<std::size_t> message;
  std::vector<double> sent;
  std::vector<double> received;
  double seconds = 0;
  double message_size = 0;
  int iterations = 0;
};

bool starts_with(const Words& line, std::string_view first, std::string_view second) {
  return line.size() > 1 && line[0] == first && line[1] == second;
}

void read_title(std::string_view text, const Words& line, NetperfLog& log) {
  if (starts_with(line, "Send", "Recv")) log.result = index_of(line, "Rate").value_or(log.result);
  if (starts_with(line, "Size", "Size")) log.result = index_of(line, "Throughput").value_or(log.result);
  if (line[0] == "Socket" && text.contains("Elapsed")) {
    log.elapsed = index_of(line, "Elapsed");
    log.message = index_of(line, "Message");
  }
  if (line[0] != "bytes" || !text.contains("secs")) return;
  if (text.contains("10^6bits"))
    log.unit = "Mbps";
  else if (text.contains("per sec"))
    log.unit = "tps";
}

bool is_integer(std::string_view word) {
  return parse_int(word).has_value();
}
bool is_number(std::string_view word) {
  return parse_double(word).has_value();
}

// "212992  2.00  359374  1470.9 ..."
bool is_receiver(const Words& line) {
  return is_integer(line[0]) && !is_integer(line[1]) && is_number(line[1]) && is_integer(line[2]);
}

// A damaged line may be shorter than its title.
double value_at(const Words& line, std::size_t column) {
  return column < line.size() ? parse_double(line[column]).value_or(0) : 0;
}

void read_row(const Words& line, NetperfLog& log) {
  if (log.unit.empty() || log.result < 3 || line.size() < 4 || !is_integer(line[0])) return;
  const bool receiver = is_receiver(line);
  const std::size_t column = receiver ? log.result - 2 : log.result;
  if (column >= line.size() ||
      !std::ranges::all_of(line.begin(), line.begin() + static_cast<long>(column) + 1, is_number))
    return;
  const double value = *parse_double(line[column]);
  if (receiver) {
    log.received.push_back(value);
    return;
  }
  if (!is_integer(line[1])) return;
  log.sent.push_back(value);
  if (log.elapsed) log.seconds = value_at(line, *log.elapsed);
  if (log.message) log.message_size = value_at(line, *log.message);
}

NetperfLog read_netperf(std::string_view text) {
  NetperfLog log;
  for (const std::string_view line : lines(text)) {
    const Words found = words(line);
    if (found.empty()) continue;
    if (line.starts_with("Iterations:")) ++log.iterations;
    read_title(line, found, log);
    read_row(found, log);
  }
  return log;
}

void add(ParsedOutput& parsed, const std::string& key, const std::vector<double>& rows, double value) {
  if (!rows.empty()) return parsed.add_float(key, value);
  parsed.add_integer(key, 0);
  parsed.values.back().measured = false;
}

void add_workload(const NetperfLog& log, double total, ParsedOutput& parsed) {
  if (log.unit == "tps")
    parsed.add_float("workload", total * log.seconds);
  else if (log.message_size > 0)
    parsed.add_float("workload", total * log.seconds * 1e6 / 8 / log.message_size);
}

}  // namespace

void parse_netperf(const RawOutput& output, ParsedOutput& parsed) {
  const NetperfLog log = read_netperf(output.text);
  if (log.sent.empty()) return;
  const double runs = std::max(1, log.iterations);
  const double sent = mean(log.sent);
  const double received = mean(log.received);
  add(parsed, "Throughput_" + log.unit, log.sent, sent);
  add(parsed, "ThroughputRecv_" + log.unit, log.received, received);
  add(parsed, "ThroughputBoth_" + log.unit, log.sent, sent + received);
  const double sent_total = sum(log.sent) / runs;
  const double received_total = sum(log.received) / runs;
  add(parsed, "Throughput_total_" + log.unit, log.sent, sent_total);
  add(parsed, "ThroughputRecv_total_" + log.unit, log.received, received_total);
  add(parsed, "ThroughputBoth_total_" + log.unit, log.sent, sent_total + received_total);
  add_workload(log, sent_total + received_total, parsed);
}

}  // namespace kilter::suite
