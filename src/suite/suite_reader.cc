#include "suite/suite_reader.h"

#include "base/suggest.h"
#include "base/text.h"
#include "suite/parse.h"
#include "suite/words.h"
#include "suite/yaml.h"

#include <algorithm>
#include <array>
#include <utility>

namespace kilter::suite {
namespace {

using model::Node;
using Strings = std::vector<std::string>;

tl::unexpected<Error> error_at(const Node& node, const std::string& message, std::string hint = {}) {
  return usage_error("reading " + node.mark.text() + ": " + message, std::move(hint));
}

// One key of a map and what reads its value into T.
template <class T>
struct Field {
  std::string_view key;
  Status (*read)(const Node& value, T& target);
};

template <class T, std::size_t N>
Status read_fields(const Node& map, const std::array<Field<T>, N>& fields, T& target) {
  if (!map.is_map()) return error_at(map, "a map of keys and values is wanted here");
  for (const auto& [key, value] : map.entries()) {
    const auto it = std::ranges::find(fields, key, &Field<T>::key);
    if (it == fields.end()) {
      Strings known;
      for (const Field<T>& field : fields) known.emplace_back(field.key);
      return error_at(value, "unknown key '" + printable(key) + "'" + or_rather(key, known),
                      "keys: " + join(known, ", "));
    }
    TRY(it->read(value, target));
  }
  return {};
}

Status read_text(const Node& node, std::string& target) {
  if (node.is_null()) return {};
  if (!node.is_scalar()) return error_at(node, "a text is wanted here");
  target = node.text();
  return {};
}

Status read_bool(const Node& node, bool& target) {
  constexpr std::array<std::string_view, 3> kTrue = {"true", "yes", "1"};
  constexpr std::array<std::string_view, 3> kFalse = {"false", "no", "0"};
  const bool yes = std::ranges::find(kTrue, node.text()) != kTrue.end();
  if (!yes && std::ranges::find(kFalse, node.text()) == kFalse.end())
    return error_at(node, "true or false is wanted here");
  target = yes;
  return {};
}

Status read_strings(const Node& node, Strings& target) {
  if (!node.is_list()) return error_at(node, "a list of texts is wanted here");
  for (const Node& item : node.items()) {
    std::string text;
    TRY(read_text(item, text));
    target.push_back(std::move(text));
  }
  return {};
}

template <class T, std::string T::* Member>
Status text_field(const Node& node, T& target) {
  return read_text(node, target.*Member);
}
template <class T, bool T::* Member>
Status bool_field(const Node& node, T& target) {
  return read_bool(node, target.*Member);
}
template <class T, Strings T::* Member>
Status strings_field(const Node& node, T& target) {
  return read_strings(node, target.*Member);
}

// --- parameters

Status read_type(const Node& node, Parameter& parameter) {
  using enum Parameter::Type;
  constexpr std::array<std::pair<std::string_view, Parameter::Type>, 6> kTypes = {{{"text", text},
                                                                                   {"integer", integer},
                                                                                   {"count", count},
                                                                                   {"seconds", seconds},
                                                                                   {"bytes", bytes},
                                                                                   {"flag", flag}}};
  for (const auto& [name, type] : kTypes) {
    if (name != node.text()) continue;
    parameter.type = type;
    return {};
  }
  return error_at(node, "unknown type '" + printable(node.text()) + "'",
                  "types: text, integer, count, seconds, bytes, flag");
}

constexpr std::array<Field<Parameter>, 5> kParameterFields = {{
    {"type", read_type},
    {"default", text_field<Parameter, &Parameter::fallback>},
    {"choices", strings_field<Parameter, &Parameter::choices>},
    {"required", bool_field<Parameter, &Parameter::required>},
    {"help", text_field<Parameter, &Parameter::help>},
}};

Status read_parameters(const Node& node, Suite& suite) {
  if (!node.is_map()) return error_at(node, "a map of parameters is wanted here");
  for (const auto& [name, value] : node.entries()) {
    Parameter parameter{.name = name};
    if (!value.is_null()) TRY(read_fields(value, kParameterFields, parameter));
    suite.parameters.push_back(std::move(parameter));
  }
  return {};
}

Status read_values(const Node& node, Suite& suite) {
  if (!node.is_map()) return error_at(node, "a map of names and expressions is wanted here");
  for (const auto& [name, value] : node.entries()) {
    std::string expression;
    TRY(read_text(value, expression));
    suite.values.emplace_back(name, std::move(expression));
  }
  return {};
}

// --- commands

Status read_argv(const Node& node, CommandTemplate& command) {
  TRY(check_words(node));
  if (node.items().empty()) return error_at(node, "a command has at least one word");
  command.argv = node;
  return {};
}

Status read_env(const Node& node, CommandTemplate& command) {
  if (!node.is_map()) return error_at(node, "a map of variables is wanted here");
  for (const auto& [name, value] : node.entries()) {
    std::string text;
    TRY(read_text(value, text));
    command.env.emplace_back(name, std::move(text));
  }
  return {};
}

constexpr std::array<Field<CommandTemplate>, 10> kCommandFields = {{
    {"argv", read_argv},
    {"when", text_field<CommandTemplate, &CommandTemplate::when>},
    {"env", read_env},
    {"cwd", text_field<CommandTemplate, &CommandTemplate::cwd>},
    {"stdin", text_field<CommandTemplate, &CommandTemplate::stdin_text>},
    {"copies", text_field<CommandTemplate, &CommandTemplate::copies>},
    {"timed", bool_field<CommandTemplate, &CommandTemplate::timed>},
    {"quiet", bool_field<CommandTemplate, &CommandTemplate::quiet>},
    {"may_fail", bool_field<CommandTemplate, &CommandTemplate::may_fail>},
    {"disable_aslr", bool_field<CommandTemplate, &CommandTemplate::disable_aslr>},
}};

// A command is its words, or a map with `argv` and more.
Status read_command(const Node& node, CommandTemplate& command) {
  if (node.is_list()) return read_argv(node, command);
  TRY(read_fields(node, kCommandFields, command));
  if (command.argv.is_null()) return error_at(node, "'argv' is missing");
  return {};
}

Status read_commands(const Node& node, std::vector<CommandTemplate>& commands) {
  if (!node.is_list()) return error_at(node, "a list of commands is wanted here");
  for (const Node& item : node.items()) {
    CommandTemplate command;
    TRY(read_command(item, command));
    commands.push_back(std::move(command));
  }
  return {};
}

template <class T, std::vector<CommandTemplate> T::* Member>
Status commands_field(const Node& node, T& target) {
  return read_commands(node, target.*Member);
}

constexpr std::array<Field<Install>, 6> kInstallFields = {{
    {"packages", strings_field<Install, &Install::packages>},
    {"url", text_field<Install, &Install::url>},
    {"revision", text_field<Install, &Install::revision>},
    {"unpack", commands_field<Install, &Install::unpack>},
    {"build", commands_field<Install, &Install::build>},
    {"provides", strings_field<Install, &Install::provides>},
}};

Status read_install(const Node& node, Engine& engine) {
  return read_fields(node, kInstallFields, engine.install);
}

constexpr std::array<Field<Engine>, 8> kEngineFields = {{
    {"when", text_field<Engine, &Engine::when>},
    {"daemons", commands_field<Engine, &Engine::daemons>},
    {"ready_port", text_field<Engine, &Engine::ready_port>},
    {"run", commands_field<Engine, &Engine::run>},
    {"times", text_field<Engine, &Engine::times>},
    {"seconds", text_field<Engine, &Engine::seconds>},
    {"report_iterations", bool_field<Engine, &Engine::report_iterations>},
    {"install", read_install},
}};

Status read_engines(const Node& node, Suite& suite) {
  if (!node.is_map()) return error_at(node, "a map of engines is wanted here");
  for (const auto& [name, value] : node.entries()) {
    if (name != "builtin" && name != "upstream")
      return error_at(value, "an engine is 'builtin' or 'upstream', not '" + printable(name) + "'");
    Engine engine{.name = name};
    TRY(read_fields(value, kEngineFields, engine));
    if (engine.run.empty()) return error_at(value, "'run' is missing");
    suite.engines.push_back(std::move(engine));
  }
  return {};
}

// A suite of one engine may have the engine's keys at its top: they are "upstream".
Engine& only_engine(Suite& suite) {
  if (suite.engines.empty()) suite.engines.push_back({.name = "upstream"});
  return suite.engines.front();
}

template <auto Read>
Status engine_field(const Node& node, Suite& suite) {
  return Read(node, only_engine(suite));
}

// --- parser and metrics

Status read_rules(const Node& node, const std::string& kind, std::string& parser) {
  if (!node.is_map()) return error_at(node, "a map of keys and rules is wanted here");
  parser = kind + ":";
  for (const auto& [key, value] : node.entries()) {
    if (!value.is_scalar() || value.text().contains('\n') || key.contains('='))
      return error_at(value, "a rule is one line, and a key has no '='");
    parser += "\n" + key + "=" + value.text();
  }
  const Result<ParsedOutput> tried = parse_output(parser, {});
  if (!tried) return fail(tried.error().in("reading " + node.mark.text()));
  return {};
}

Status read_parser(const Node& node, Suite& suite) {
  if (node.is_scalar()) {
    const Strings names = parser_names();
    if (!node.text().contains('{') && std::ranges::find(names, node.text()) == names.end()) {
      return error_at(node,
                      "there is no parser '" + printable(node.text()) + "'" + or_rather(node.text(), names),
                      "parsers: " + join(names, ", "));
    }
    return read_text(node, suite.parser);
  }
  if (!node.is_map() || node.entries().size() != 1)
    return error_at(node, "a parser is a name, or one of regex, json, command");
  const auto& [kind, rules] = node.entries().front();
  if (kind == "regex" || kind == "json") return read_rules(rules, kind, suite.parser);
  if (kind != "command")
    return error_at(rules, "unknown kind of parser '" + printable(kind) + "'", "kinds: regex, json, command");
  Strings argv;
  TRY(read_strings(rules, argv));
  if (argv.empty()) return error_at(rules, "a command has at least one word");
  suite.parser = "command:\n" + join(argv, "\n");
  return {};
}

Status read_direction(const Node& node, MetricRule& rule) {
  if (node.text() == "higher")
    rule.info.direction = model::Direction::higher_better;
  else if (node.text() == "lower")
    rule.info.direction = model::Direction::lower_better;
  else
    return error_at(node, "'better' is higher or lower, not '" + printable(node.text()) + "'");
  return {};
}

Status read_unit(const Node& node, MetricRule& rule) {
  return read_text(node, rule.info.unit);
}
Status read_headline(const Node& node, MetricRule& rule) {
  return read_bool(node, rule.info.headline);
}

constexpr std::array<Field<MetricRule>, 3> kMetricFields = {{
    {"unit", read_unit},
    {"better", read_direction},
    {"headline", read_headline},
}};

Status read_metrics(const Node& node, Suite& suite) {
  if (!node.is_map()) return error_at(node, "a map of key patterns is wanted here");
  for (const auto& [pattern, value] : node.entries()) {
    MetricRule rule{pattern, {}};
    TRY(read_fields(value, kMetricFields, rule));
    if (rule.info.headline && rule.info.direction == model::Direction::unknown)
      return error_at(value, "a headline metric needs 'better'");
    suite.metrics.push_back(std::move(rule));
  }
  return {};
}

constexpr std::array<Field<Suite>, 19> kSuiteFields = {{
    {"suite", text_field<Suite, &Suite::name>},
    {"program", text_field<Suite, &Suite::program>},
    {"summary", text_field<Suite, &Suite::summary>},
    {"homepage", text_field<Suite, &Suite::homepage>},
    {"parameters", read_parameters},
    {"positional", text_field<Suite, &Suite::positional>},
    {"let", read_values},
    {"engines", read_engines},
    {"daemons", engine_field<commands_field<Engine, &Engine::daemons>>},
    {"ready_port", engine_field<text_field<Engine, &Engine::ready_port>>},
    {"run", engine_field<commands_field<Engine, &Engine::run>>},
    {"times", engine_field<text_field<Engine, &Engine::times>>},
    {"seconds", engine_field<text_field<Engine, &Engine::seconds>>},
    {"report_iterations", engine_field<bool_field<Engine, &Engine::report_iterations>>},
    {"install", engine_field<read_install>},
    {"expected", text_field<Suite, &Suite::expected>},
    {"time_limit", text_field<Suite, &Suite::time_limit>},
    {"parser", read_parser},
    {"metrics", read_metrics},
}};

}  // namespace

Result<Suite> read_suite(const std::string& text, const std::string& file, const std::string& name) {
  ASSIGN_OR_RETURN(const Node root, read_yaml(text, file));
  Suite suite{.name = name, .file = file};
  TRY(read_fields(root, kSuiteFields, suite));
  if (suite.program.empty()) suite.program = suite.name;
  if (suite.engines.empty() || suite.engines.front().run.empty())
    return error_at(root, "'run' is missing: the commands of the suite");
  if (suite.parser.empty()) return error_at(root, "'parser' is missing");
  return suite;
}

const Parameter* Suite::find_parameter(std::string_view parameter) const {
  const auto it = std::ranges::find(parameters, parameter, &Parameter::name);
  return it == parameters.end() ? nullptr : &*it;
}

const Engine* Suite::find_engine(std::string_view engine) const {
  const auto it = std::ranges::find(engines, engine, &Engine::name);
  return it == engines.end() ? nullptr : &*it;
}

}  // namespace kilter::suite
