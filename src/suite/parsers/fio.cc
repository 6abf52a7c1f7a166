#include "base/text.h"
#include "suite/parsers/json_text.h"
#include "suite/parsers/parsers.h"
#include "suite/parsers/scan.h"

#include <array>

// fio --output-format=json, from "fio.output" when the run has it, else from the log.
// LKP labels slat as microseconds though it is nanoseconds; the keys are kept as they are.
namespace kilter::suite {
namespace {

using Json = nlohmann::json;

void add(const Json& object, const char* member, const std::string& key, ParsedOutput& parsed) {
  std::string text;
  if (number_text(object, member, text)) parsed.add(key, text);
}

void add_percentiles(const Json& latency, const std::string& start, const std::string& unit,
                     ParsedOutput& parsed) {
  const Json& percentiles = child(latency, "percentile");
  for (const char* percent : {"90", "95", "99"})
    add(percentiles, (std::string(percent) + ".000000").c_str(), start + percent + "%_" + unit, parsed);
}

void add_latency(const Json& direction, const std::string& name, ParsedOutput& parsed) {
  // Older versions of fio count in microseconds, under other names.
  const bool nanoseconds = direction.contains("clat_ns");
  const std::string unit = nanoseconds ? "ns" : "us";
  const Json& completion = child(direction, nanoseconds ? "clat_ns" : "clat");
  add(completion, "mean", name + "_clat_mean_" + unit, parsed);
  add(completion, "stddev", name + "_clat_stddev", parsed);
  add_percentiles(completion, name + "_clat_", unit, parsed);
  const Json& submission = child(direction, nanoseconds ? "slat_ns" : "slat");
  add(submission, "mean", name + "_slat_mean_us", parsed);
  add(submission, "stddev", name + "_slat_stddev", parsed);
}

double number(const Json& object, const char* member) {
  const Json& value = child(object, member);
  return value.is_number() ? value.get<double>() : 0;
}

double total(const Json& jobs, const char* direction, const char* member) {
  double result = 0;
  for (const Json& job : jobs) result += number(child(job, direction), member);
  return result;
}

void add_direction(const Json& jobs, const char* direction, ParsedOutput& parsed) {
  const std::string name = direction;
  if (!child(jobs.front(), direction).is_object()) return;
  parsed.add_float(name + "_bw_MBps", total(jobs, direction, "bw") / 1024.0);
  parsed.add_float(name + "_iops", total(jobs, direction, "iops"));
  if (jobs.size() == 1) add_latency(child(jobs.front(), direction), name, parsed);
}

// The members are sorted as text; fio's order is by size.
constexpr std::array<const char*, 12> kSteps = {"2",   "4",   "10",  "20",   "50",   "100",
                                                "250", "500", "750", "1000", "2000", ">=2000"};

void add_histogram(const Json& job, const char* member, const std::string& unit, ParsedOutput& parsed) {
  for (const char* step : kSteps)
    add(child(job, member), step, "latency_" + std::string(step) + unit + "%", parsed);
}

}  // namespace

void parse_fio(const RawOutput& output, ParsedOutput& parsed) {
  const auto file = output.files.find("fio.output");
  for (const Json& document : json_documents(file == output.files.end() ? output.text : file->second)) {
    const Json& jobs = child(document, "jobs");
    if (!jobs.is_array() || jobs.empty() || !jobs.front().is_object()) continue;
    add_direction(jobs, "read", parsed);
    add_direction(jobs, "write", parsed);
    if (jobs.size() == 1) {
      add_histogram(jobs.front(), "latency_us", "us", parsed);
      add_histogram(jobs.front(), "latency_ms", "ms", parsed);
    }
    const double operations = total(jobs, "read", "total_ios") + total(jobs, "write", "total_ios");
    parsed.add_integer("workload", truncated(operations));
  }
}

}  // namespace kilter::suite
