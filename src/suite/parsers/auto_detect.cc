#include "suite/parsers/parsers.h"

#include <array>

namespace kilter::suite {
namespace {

constexpr std::array<ParseFunction, 7> kTried = {
    parse_google_benchmark, parse_hyperfine, parse_pytest_benchmark, parse_go_bench,
    parse_criterion,        parse_catch2,    parse_key_value};

}  // namespace

void parse_auto(const RawOutput& output, ParsedOutput& parsed) {
  for (const ParseFunction parse : kTried) {
    parse(output, parsed);
    if (!parsed.values.empty()) return;
  }
}

const std::vector<MetricRule>& auto_rules() {
  static const std::vector<MetricRule> kRules = [] {
    std::vector<MetricRule> all;
    for (const auto& rules :
         {google_benchmark_rules, hyperfine_rules, go_bench_rules, criterion_rules, catch2_rules})
      all.insert(all.end(), rules().begin(), rules().end());
    return all;
  }();
  return kRules;
}

}  // namespace kilter::suite
