#include "suite/metric_info.h"

#include "suite/metric_tables.h"
#include "suite/parsers/parsers.h"

#include <optional>

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

// "time.user_time" and "hackbench.time.user_time" -> "user_time"
std::optional<std::string_view> time_key(std::string_view program, std::string_view rest) {
  if (program == "time") return rest;
  if (rest.starts_with("time.")) return rest.substr(5);
  return std::nullopt;
}

const MetricRule* rule_of(const Catalogue& catalogue, std::string_view program, std::string_view rest) {
  if (const std::optional<std::string_view> key = time_key(program, rest))
    return find_rule(time_rules(), *key);
  if (const std::vector<MetricRule>* rules = monitor_rules(program)) return find_rule(*rules, rest);
  const Suite* suite = catalogue.find_program(program);
  return suite == nullptr ? rule_of_parser(program, rest) : rule_of_suite(*suite, rest);
}

}  // namespace

model::MetricInfo metric_info(const Catalogue& catalogue, const std::string& key) {
  const std::size_t dot = key.find('.');
  if (dot == std::string::npos) return {};
  const std::string_view whole = key;
  const MetricRule* rule = rule_of(catalogue, whole.substr(0, dot), whole.substr(dot + 1));
  return rule == nullptr ? model::MetricInfo{} : rule->info;
}

std::string headline_key(const Catalogue& catalogue, const std::string& program) {
  const Suite* const suite = catalogue.find_program(program);
  if (suite == nullptr) return "";
  for (const MetricRule& rule : suite->metrics)
    if (rule.info.headline && rule.pattern.find('*') == std::string::npos)
      return program + "." + rule.pattern;
  return "";
}

std::size_t metric_rank(const Catalogue& catalogue, const std::string& key) {
  const std::size_t dot = key.find('.');
  const Suite* const suite = catalogue.find_program(key.substr(0, dot));
  if (suite == nullptr || dot == std::string::npos) return std::string::npos;
  const MetricRule* const rule = find_rule(suite->metrics, key.substr(dot + 1));
  return rule == nullptr ? suite->metrics.size() : static_cast<std::size_t>(rule - suite->metrics.data());
}

}  // namespace kilter::suite
