#include "suite/metric_info.h"

#include "suite/metric_tables.h"
#include "suite/parsers/parsers.h"

namespace kilter::suite {
namespace {

model::MetricInfo info_of(const MetricRule* rule) {
  return rule == nullptr ? model::MetricInfo{} : rule->info;
}

const MetricRule* rule_of_suite(const Suite& suite, std::string_view rest) {
  if (const MetricRule* rule = find_rule(suite.metrics, rest)) return rule;
  // "{parser}": the job chooses it, so any adapter's keys may be there.
  const std::string_view parser =
      suite.parser.starts_with('{') ? std::string_view("auto") : std::string_view(suite.parser);
  const ParserEntry* entry = find_parser(parser);
  return entry == nullptr || entry->rules == nullptr ? nullptr : find_rule(entry->rules(), rest);
}

}  // namespace

model::MetricInfo metric_info(const Catalogue& catalogue, const std::string& key) {
  if (const MetricRule* rule = find_rule(monitor_rules(), key)) return rule->info;
  const std::size_t dot = key.find('.');
  if (dot == std::string::npos) return {};
  const std::string_view rest = std::string_view(key).substr(dot + 1);
  if (const Suite* suite = catalogue.find_program(std::string_view(key).substr(0, dot)))
    if (const MetricRule* rule = rule_of_suite(*suite, rest)) return rule->info;
  return info_of(find_rule(other_program_rules(), key));
}

}  // namespace kilter::suite
