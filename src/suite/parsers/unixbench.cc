#include "base/text.h"
#include "suite/parsers/parsers.h"
#include "suite/parsers/scan.h"

#include <algorithm>
#include <array>

namespace kilter::suite {
namespace {

constexpr std::array<std::string_view, 4> kUnits = {"KBps", "lps", "lpm", "score"};
constexpr std::int64_t kDay = 24 * 3600;

std::optional<std::int64_t> seconds_of_clock(std::string_view text) {
  const std::vector<std::string_view> parts = split(text, ':');
  if (parts.size() != 3) return std::nullopt;
  std::int64_t seconds = 0;
  for (const std::string_view part : parts) {
    const std::optional<std::int64_t> number = parse_int(part);
    if (!number || *number < 0 || *number > 99) return std::nullopt;
    seconds = seconds * 60 + *number;
  }
  return seconds;
}

// "Benchmark Run: Tue Jan 01 2019 23:58:00 - 00:03:30": the end may be on the next day.
std::optional<std::int64_t> duration_of(std::string_view line) {
  const std::vector<std::string_view> fields = words(line);
  if (fields.size() < 5) return std::nullopt;
  const std::optional<std::int64_t> begin = seconds_of_clock(fields[fields.size() - 3]);
  const std::optional<std::int64_t> end = seconds_of_clock(fields.back());
  if (!begin || !end) return std::nullopt;
  return *end >= *begin ? *end - *begin : *end - *begin + kDay;
}

// "File Copy 256 bufsize 500 maxblocks     1234567.8 KBps  (30.0 s, 30 samples)"
std::optional<double> result_of(std::string_view line) {
  if (!line.ends_with("samples)")) return std::nullopt;
  const std::vector<std::string_view> fields = words(line);
  for (const std::string_view unit : kUnits) {
    const std::optional<std::size_t> at = index_of(fields, unit);
    if (at && *at > 0) return parse_double(fields[*at - 1]);
  }
  return std::nullopt;
}

struct UnixbenchLog {
  std::optional<std::int64_t> seconds;
  std::optional<double> throughput;
  std::optional<double> score;
  bool was_run = false;
};

UnixbenchLog read_unixbench(std::string_view text) {
  UnixbenchLog log;
  bool row_follows = false;
  for (const std::string_view line : lines(text)) {
    const std::vector<std::string_view> fields = words(line);
    if (row_follows && fields.size() > 2) {
      if (const std::optional<double> result = parse_double(fields[fields.size() - 2]))
        log.throughput = result;
    } else if (const std::optional<double> result = result_of(line)) {
      log.throughput = result;
    }
    row_follows = line.contains("Benchmarks ") && line.ends_with("INDEX");
    if (line.starts_with("Benchmark Run:")) log.seconds = duration_of(line);
    if (line.contains("Benchmarks Index Score")) log.score = parse_double(fields.back());
    log.was_run = log.was_run || line.contains("BYTE UNIX Benchmarks") || line.starts_with("Benchmark Run:");
  }
  return log;
}

}  // namespace

void parse_unixbench(const RawOutput& output, ParsedOutput& parsed) {
  const UnixbenchLog log = read_unixbench(output.text);
  if (!log.was_run) return;
  if (log.score) parsed.add_float("score", *log.score);
  if (!log.seconds || !log.throughput) {
    parsed.add("test.fail", "1");
    return;
  }
  parsed.add_float("throughput", *log.throughput);
  parsed.add_float("workload", static_cast<double>(*log.seconds) * *log.throughput);
  parsed.add("test.pass", "1");
}

}  // namespace kilter::suite
