#include "suite/parse.h"

#include "base/suggest.h"
#include "base/text.h"
#include "suite/parsers/parsers.h"

#include <algorithm>
#include <unordered_map>

namespace kilter::suite {
namespace {

constexpr std::string_view kRegex = "regex:\n";
constexpr std::string_view kJson = "json:\n";
constexpr std::string_view kCommand = "command:\n";
// A log that goes on for ever must not become a matrix that does.
constexpr std::size_t kMostValues = 100'000;

Result<ParsedOutput> run_parser(const std::string& parser, const RawOutput& output) {
  const std::string_view name = parser;
  if (name.starts_with(kRegex)) return parse_by_regex(name.substr(kRegex.size()), output);
  if (name.starts_with(kJson)) return parse_by_json_path(name.substr(kJson.size()), output);
  if (is_external_parser(name)) return failure("parsing: an external parser is run by its caller");
  const ParserEntry* entry = find_parser(name);
  if (entry == nullptr) {
    return usage_error("parsing: there is no parser '" + printable(name) + "'",
                       "known are " + join(parser_names(), ", ") + or_rather(name, parser_names()));
  }
  ParsedOutput parsed;
  entry->parse(output, parsed);
  return parsed;
}

bool is_bad_key(std::string_view key) {
  return key.empty() || std::ranges::any_of(key, [](char c) { return static_cast<unsigned char>(c) <= ' '; });
}

}  // namespace

Result<ParsedOutput> parse_output(const std::string& parser, const RawOutput& output) {
  ASSIGN_OR_RETURN(ParsedOutput parsed, run_parser(parser, output));
  std::erase_if(parsed.values, [](const ParsedValue& value) { return is_bad_key(value.key); });
  for (ParsedValue& value : parsed.values) value.key = printable(value.key);
  if (parsed.values.size() > kMostValues) parsed.values.resize(kMostValues);
  return parsed;
}

std::string as_lines(const ParsedOutput& parsed) {
  std::string text;
  for (const ParsedValue& value : parsed.values) text += value.key + ": " + value.text + "\n";
  return text;
}

std::optional<model::Number> value_number(std::string_view text) {
  text = trim(text);
  if (const std::optional<std::int64_t> integer = parse_int(text)) return model::Number(*integer);
  if (const std::optional<double> real = parse_double(text)) return model::Number(*real);
  return std::nullopt;
}

model::SeriesFile to_series(const std::string& program, const ParsedOutput& parsed) {
  model::SeriesFile file{program, {}};
  std::unordered_map<std::string_view, std::size_t> places;
  for (const ParsedValue& value : parsed.values) {
    const std::optional<model::Number> number = value_number(value.text);
    if (!number || !value.measured) continue;
    const auto [place, is_new] = places.try_emplace(value.key, file.series.size());
    if (is_new) file.series.push_back({program + "." + value.key, {}});
    file.series[place->second].values.push_back(*number);
  }
  return file;
}

bool is_external_parser(std::string_view parser) {
  return parser.starts_with(kCommand);
}

std::vector<std::string> external_parser_argv(std::string_view parser) {
  if (!is_external_parser(parser)) return {};
  const std::vector<std::string_view> parts = split(parser.substr(kCommand.size()), '\n');
  return {parts.begin(), parts.end()};
}

bool expects_values(std::string_view parser) {
  return parser != "none" && parser != "auto";
}

std::vector<std::string> parser_names() {
  std::vector<std::string> names;
  for (const ParserEntry& entry : parser_table()) names.emplace_back(entry.name);
  return names;
}

}  // namespace kilter::suite
