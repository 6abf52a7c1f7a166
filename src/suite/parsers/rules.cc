#include "base/regex_fault.h"
#include "base/text.h"
#include "suite/parsers/json_text.h"
#include "suite/parsers/parsers.h"
#include "suite/parsers/scan.h"

#include <regex>

// Parsers that are data of a suite file: regular expressions on the lines of the log, and paths into its
// JSON.
namespace kilter::suite {
namespace {

using Json = nlohmann::json;

// The default matcher backtracks: exponential in the worst case, and recursive per character. The polynomial
// one is neither; it only lacks back-references. Lines are cut all the same.
constexpr std::size_t kLongestLine = 1000;
constexpr std::size_t kMostMatches = 100'000;

struct Rule {
  std::string key;
  std::string text;
};

Result<std::vector<Rule>> read_rules(std::string_view text) {
  std::vector<Rule> rules;
  for (const std::string_view line : lines(text)) {
    const std::size_t mark = line.find('=');
    if (mark == 0 || mark == std::string_view::npos)
      return usage_error("reading a parser rule: '" + printable(line) + "' is not of the form key=rule");
    rules.push_back({std::string(line.substr(0, mark)), std::string(line.substr(mark + 1))});
  }
  return rules;
}

Result<std::regex> compile(const Rule& rule) {
  try {
    return std::regex(rule.text, std::regex::ECMAScript | std::regex_constants::__polynomial);
  } catch (const std::regex_error& error) {
    return usage_error("reading the regex of '" + printable(rule.key) + "': " + regex_fault(error),
                       "the pattern is: " + printable(rule.text));
  }
}

void match_lines(const Rule& rule, const std::regex& regex, std::string_view text, ParsedOutput& parsed) {
  std::cmatch match;
  for (std::string_view line : lines(text)) {
    line = line.substr(0, kLongestLine);
    if (!std::regex_search(line.data(), line.data() + line.size(), match, regex)) continue;
    const std::string value = match[match.size() > 1 ? 1 : 0].str();
    if (value_number(value) && parsed.values.size() < kMostMatches)
      parsed.add(rule.key, std::string(trim(value)));
  }
}

// One step of a path: a member's name, or an index, or all items.
struct Step {
  std::string member;
  std::optional<std::size_t> index;
  bool all = false;
};

bool read_index(std::string_view text, std::vector<Step>& steps) {
  if (text == "*") {
    steps.push_back({.member = "", .index = std::nullopt, .all = true});
    return true;
  }
  const std::optional<std::int64_t> index = parse_int(text);
  if (!index || *index < 0) return false;
  steps.push_back({.member = "", .index = static_cast<std::size_t>(*index)});
  return true;
}

// "results[0].mean"
std::optional<std::vector<Step>> read_path(std::string_view path) {
  std::vector<Step> steps;
  for (std::string_view part : split(path, '.')) {
    std::size_t open = part.find('[');
    if (open != 0 && !part.empty())
      steps.push_back({.member = std::string(part.substr(0, open)), .index = std::nullopt});
    while (open != std::string_view::npos) {
      const std::size_t close = part.find(']', open);
      if (close == std::string_view::npos || !read_index(part.substr(open + 1, close - open - 1), steps))
        return std::nullopt;
      part.remove_prefix(close + 1);
      open = part.find('[');
      if (open != 0 && !part.empty()) return std::nullopt;
    }
  }
  return steps;
}

void follow(const Json& json, std::span<const Step> steps, const std::string& key, ParsedOutput& parsed) {
  if (parsed.values.size() >= kMostMatches) return;
  if (steps.empty()) {
    if (json.is_number_integer()) parsed.add(key, json.dump());
    if (json.is_number_float()) parsed.add_float(key, json.get<double>());
    return;
  }
  const Step& step = steps.front();
  if (step.all && json.is_array()) {
    for (const Json& item : json) follow(item, steps.subspan(1), key, parsed);
  } else if (step.index && json.is_array() && *step.index < json.size()) {
    follow(json[*step.index], steps.subspan(1), key, parsed);
  } else if (!step.member.empty() && json.is_object()) {
    follow(child(json, step.member.c_str()), steps.subspan(1), key, parsed);
  }
}

}  // namespace

Result<ParsedOutput> parse_by_regex(std::string_view rules, const RawOutput& output) {
  ASSIGN_OR_RETURN(const std::vector<Rule> list, read_rules(rules));
  ParsedOutput parsed;
  for (const Rule& rule : list) {
    ASSIGN_OR_RETURN(const std::regex regex, compile(rule));
    match_lines(rule, regex, output.text, parsed);
  }
  return parsed;
}

Result<ParsedOutput> parse_by_json_path(std::string_view rules, const RawOutput& output) {
  ASSIGN_OR_RETURN(const std::vector<Rule> list, read_rules(rules));
  const std::vector<Json> documents = json_documents(output.text);
  ParsedOutput parsed;
  for (const Rule& rule : list) {
    const std::optional<std::vector<Step>> path = read_path(rule.text);
    if (!path) {
      return usage_error(
          "reading the JSON path of '" + rule.key + "': '" + printable(rule.text) + "' is not a path",
          "a path is like results[0].mean or benchmarks[*].real_time");
    }
    for (const Json& document : documents) follow(document, *path, rule.key, parsed);
  }
  return parsed;
}

}  // namespace kilter::suite
