#include "suite/metric_info.h"

#include "suite/metric_tables.h"
#include "suite/parsers/parsers.h"

namespace kilter::suite {
namespace {

const MetricRule* rule_of_parser(std::string_view parser, std::string_view rest) {
  const ParserEntry* entry = find_parser(parser);
  return entry == nullptr || entry->rules == nullptr ? nullptr : find_rule(entry->rules(), rest);
}

const MetricRule* rule_of_suite(const Suite& suite, std::string_view rest) {
  if (const MetricRule* rule = find_rule(suite.metrics, rest)) return rule;
  // "{parser}": the job chooses it, so any adapter's keys may be there.
  return rule_of_parser(suite.parser.starts_with('{') ? std::string_view("auto") : suite.parser, rest);
}

}  // namespace

model::MetricInfo metric_info(const Catalogue& catalogue, const std::string& key) {
  if (const MetricRule* rule = find_rule(monitor_rules(), key)) return rule->info;
  const std::size_t dot = key.find('.');
  if (dot == std::string::npos) return {};
  const std::string_view program = std::string_view(key).substr(0, dot);
  const std::string_view rest = std::string_view(key).substr(dot + 1);
  const Suite* suite = catalogue.find_program(program);
  const MetricRule* rule = suite == nullptr ? rule_of_parser(program, rest) : rule_of_suite(*suite, rest);
  return rule == nullptr ? model::MetricInfo{} : rule->info;
}

}  // namespace kilter::suite
