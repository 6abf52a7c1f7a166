#include "suite/parsers/json_text.h"
#include "suite/parsers/parsers.h"
#include "suite/parsers/scan.h"

#include <algorithm>
#include <array>
#include <utility>

// hyperfine --export-json and pytest --benchmark-json; times are seconds in both.
namespace kilter::suite {
namespace {

using Json = nlohmann::json;
using Members = std::span<const std::pair<const char*, const char*>>;

void add_members(const Json& object, const std::string& name, Members members, ParsedOutput& parsed) {
  for (const auto& [member, key] : members) {
    const Json& value = child(object, member);
    if (value.is_number()) parsed.add_float(name + "." + key, value.get<double>());
  }
}

constexpr std::array<std::pair<const char*, const char*>, 7> kHyperfine = {{
    {"mean", "mean_s"},
    {"median", "median_s"},
    {"min", "min_s"},
    {"max", "max_s"},
    {"stddev", "stddev_s"},
    {"user", "user_s"},
    {"system", "system_s"},
}};

constexpr std::array<std::pair<const char*, const char*>, 6> kPytest = {{
    {"mean", "mean_s"},
    {"median", "median_s"},
    {"min", "min_s"},
    {"max", "max_s"},
    {"stddev", "stddev_s"},
    {"ops", "ops_per_sec"},
}};

bool any_failed(const Json& codes) {
  return codes.is_array() &&
         std::ranges::any_of(codes, [](const Json& code) { return code.is_number() && code != 0; });
}

const std::vector<MetricRule>& seconds_rules() {
  using enum model::Direction;
  static const std::vector<MetricRule> kRules = {
      {"*.mean_s", {"s", lower_better, true}},  {"*.median_s", {"s", lower_better, false}},
      {"*.min_s", {"s", lower_better, false}},  {"*.max_s", {"s", lower_better, false}},
      {"*.user_s", {"s", lower_better, false}}, {"*.system_s", {"s", lower_better, false}},
      {"*.stddev_s", {"s", unknown, false}},    {"*.ops_per_sec", {"ops/s", higher_better, false}},
  };
  return kRules;
}

}  // namespace

void parse_hyperfine(const RawOutput& output, ParsedOutput& parsed) {
  for (const Json& document : json_documents(output.text)) {
    const Json& results = child(document, "results");
    if (!results.is_array()) continue;
    for (const Json& result : results) {
      const std::string name = key_part(text_of(result, "command"));
      if (name.empty()) continue;
      add_members(result, name, kHyperfine, parsed);
      if (any_failed(child(result, "exit_codes"))) parsed.add(name + ".fail", "1");
    }
  }
}

void parse_pytest_benchmark(const RawOutput& output, ParsedOutput& parsed) {
  for (const Json& document : json_documents(output.text)) {
    const Json& benchmarks = child(document, "benchmarks");
    if (!benchmarks.is_array()) continue;
    for (const Json& benchmark : benchmarks) {
      const std::string name = key_part(text_of(benchmark, "name"));
      if (!name.empty()) add_members(child(benchmark, "stats"), name, kPytest, parsed);
    }
  }
}

const std::vector<MetricRule>& hyperfine_rules() {
  return seconds_rules();
}
const std::vector<MetricRule>& pytest_benchmark_rules() {
  return seconds_rules();
}

}  // namespace kilter::suite
