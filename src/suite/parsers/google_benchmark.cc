#include "suite/parsers/json_text.h"
#include "suite/parsers/parsers.h"
#include "suite/parsers/scan.h"

#include <algorithm>
#include <array>
#include <set>

// --benchmark_format=json. Times become nanoseconds whatever unit the benchmark chose, so that one key keeps
// one unit. With repetitions each one is a value of its key; aggregates count only where the repetitions are
// not shown.
namespace kilter::suite {
namespace {

using Json = nlohmann::json;

// Members that are no counters of the user's.
const std::set<std::string, std::less<>>& reserved() {
  static const std::set<std::string, std::less<>> kNames = {
      "name",          "run_name",       "run_type",    "repetitions",     "repetition_index",
      "threads",       "family_index",   "cpu_time",    "real_time",       "per_family_instance_index",
      "iterations",    "aggregate_name", "time_unit",   "cpu_coefficient", "real_coefficient",
      "rms",           "error_occurred", "label",       "big_o",           "aggregate_unit",
      "error_message", "skipped",        "skip_message"};
  return kNames;
}

double nanoseconds(const std::string& unit) {
  if (unit == "us") return 1e3;
  if (unit == "ms") return 1e6;
  if (unit == "s") return 1e9;
  return 1;
}

void add_time(const Json& entry, const char* member, const std::string& key, ParsedOutput& parsed) {
  const Json& value = child(entry, member);
  if (!value.is_number()) return;
  parsed.add_float(key, scaled(value.get<double>(), nanoseconds(text_of(entry, "time_unit"))));
}

void add_entry(const Json& entry, const std::string& name, ParsedOutput& parsed) {
  const Json& error = child(entry, "error_occurred");
  if (error.is_boolean() && error.get<bool>()) {
    parsed.add(name + ".fail", "1");
    return;
  }
  add_time(entry, "real_time", name + ".real_time_ns", parsed);
  add_time(entry, "cpu_time", name + ".cpu_time_ns", parsed);
  for (const auto& [member, value] : entry.items())
    if (value.is_number() && !reserved().contains(member))
      parsed.add_float(name + "." + key_part(member), value.get<double>());
}

bool is_repetition(const Json& entry) {
  return text_of(entry, "run_type") != "aggregate";
}

std::string run_name(const Json& entry) {
  const std::string name = text_of(entry, "run_name");
  return key_part(name.empty() ? text_of(entry, "name") : name);
}

void add_document(const Json& entries, ParsedOutput& parsed) {
  std::set<std::string> shown;
  for (const Json& entry : entries)
    if (is_repetition(entry)) shown.insert(run_name(entry));
  for (const Json& entry : entries) {
    const std::string name = run_name(entry);
    if (name.empty() || !entry.is_object()) continue;
    if (is_repetition(entry) || (!shown.contains(name) && text_of(entry, "aggregate_name") == "mean"))
      add_entry(entry, name, parsed);
  }
}

}  // namespace

void parse_google_benchmark(const RawOutput& output, ParsedOutput& parsed) {
  for (const Json& document : json_documents(output.text)) {
    const Json& entries = child(document, "benchmarks");
    if (entries.is_array() && child(document, "context").is_object()) add_document(entries, parsed);
  }
}

const std::vector<MetricRule>& google_benchmark_rules() {
  using enum model::Direction;
  static const std::vector<MetricRule> kRules = {
      {"*.real_time_ns", {"ns", lower_better, true}},
      {"*.cpu_time_ns", {"ns", lower_better, true}},
      {"*.items_per_second", {"items/s", higher_better, true}},
      {"*.bytes_per_second", {"B/s", higher_better, true}},
  };
  return kRules;
}

}  // namespace kilter::suite
