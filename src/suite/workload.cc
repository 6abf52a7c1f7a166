#include "suite/workload.h"

#include "base/quantity.h"
#include "base/suggest.h"
#include "base/text.h"
#include "suite/words.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace kilter::suite {
namespace {

using model::Node;

constexpr std::size_t kFewChoices = 12;  // more are listed only when none of them is near

// A parameter's value in the job, and where it stands.
struct Given {
  std::string text;
  std::string place;
};

const Node* find_map_value(const Node& node, std::string_view key, int depth) {
  if (const Node* value = node.find(key)) return value;
  for (const auto& [name, child] : node.entries())
    if (child.is_map() && depth > 0)
      if (const Node* value = find_map_value(child, key, depth - 1)) return value;
  return nullptr;
}

// The program's own entry, wherever the job file nests it ("if role client:").
const Node* program_node(const Suite& suite, const model::UnitJob& job) {
  const Node* node = find_map_value(job.body, suite.program, 4);
  return node != nullptr ? node : find_map_value(job.body, suite.name, 4);
}

std::optional<Given> from_pairs(const std::vector<std::pair<std::string, std::string>>& pairs,
                                const std::string& name) {
  for (const auto& [key, value] : pairs)
    if (key == name) return Given{value, ""};
  return std::nullopt;
}

std::optional<Given> from_body(const Suite& suite, const model::UnitJob& job, const std::string& name) {
  const Node* program = program_node(suite, job);
  const Node* value = program == nullptr ? nullptr : program->find(name);
  if (program != nullptr && program->is_scalar() && name == suite.positional) value = program;
  if (value == nullptr) value = job.body.find(name);
  if (value == nullptr || !value->is_scalar()) return std::nullopt;
  return Given{value->text(), place_of(job, *value)};
}

// What the program itself is given, where the job gives the name another value too, further out.
std::optional<Given> innermost(const Suite& suite, const model::UnitJob& job, const std::string& name,
                               const std::optional<Given>& body) {
  const Node* program = program_node(suite, job);
  const bool own = body && program != nullptr &&
                   (program->is_map() ? program->find(name) != nullptr : name == suite.positional);
  const bool differs = std::ranges::any_of(job.parameters, [&](const auto& parameter) {
    return parameter.first == name && body && parameter.second != body->text;
  });
  return own && differs ? body : std::nullopt;
}

// Mapped values first. Where they have no place, the body may still tell it.
std::optional<Given> given(const Suite& suite, const model::UnitJob& job, const std::string& name) {
  const std::optional<Given> body = from_body(suite, job, name);
  if (const std::optional<Given> inner = innermost(suite, job, name, body)) return inner;
  for (const auto* pairs : {&job.mapped, &job.parameters}) {
    std::optional<Given> found = from_pairs(*pairs, name);
    if (found && body) found->place = body->place;
    if (found) return found;
  }
  return body;
}

// "a if condition else b"
Result<std::optional<double>> chosen(std::string_view expression, const Values& values) {
  constexpr std::string_view kIf = " if ";
  constexpr std::string_view kElse = " else ";
  const std::size_t when = expression.find(kIf);
  const std::size_t otherwise = expression.find(kElse);
  if (when == std::string_view::npos || otherwise == std::string_view::npos || otherwise < when)
    return evaluate(trim(expression), values);
  const std::size_t begin = when + kIf.size();
  ASSIGN_OR_RETURN(const bool yes, holds(expression.substr(begin, otherwise - begin), values));
  return evaluate(trim(yes ? expression.substr(0, when) : expression.substr(otherwise + kElse.size())),
                  values);
}

// "a or b": the first that is set; nullopt when none is.
Result<std::optional<double>> number_of(std::string_view expression, const Values& values) {
  constexpr std::string_view kOr = " or ";
  while (!trim(expression).empty()) {
    const std::size_t end = expression.find(kOr);
    ASSIGN_OR_RETURN(const std::optional<double> value, chosen(expression.substr(0, end), values));
    if (value) return value;
    if (end == std::string_view::npos) break;
    expression.remove_prefix(end + kOr.size());
  }
  return std::optional<double>();
}

// --- values by type

std::optional<std::string> count_of(const std::string& text, const HostFacts& facts) {
  if (const std::optional<double> percent = parse_percent(text))
    return number_word(std::trunc(*percent * facts.nr_cpu / 100));
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const bool suffixed = std::all_of(text.begin() + static_cast<long>(digits), text.end(),
                                    [](char c) { return c >= 'a' && c <= 'z'; });
  if (digits == 0 || digits > 15 || !suffixed) return std::nullopt;
  return text.substr(0, digits);
}

std::optional<std::string> bytes_of(const std::string& text, const HostFacts& facts) {
  if (const std::optional<double> percent = parse_percent(text))
    return number_word(std::trunc(*percent / 100 * static_cast<double>(facts.memory_kb) * 1024));
  if (const std::optional<std::int64_t> bytes = parse_bytes(text)) return std::to_string(*bytes);
  return parse_int(text) ? std::optional(text) : std::nullopt;
}

std::optional<std::string> flag_of(const std::string& text) {
  constexpr std::array<std::string_view, 5> kTrue = {"1", "true", "yes", "on", "y"};
  constexpr std::array<std::string_view, 5> kFalse = {"0", "false", "no", "off", "n"};
  if (std::ranges::find(kTrue, text) != kTrue.end()) return "1";
  if (std::ranges::find(kFalse, text) != kFalse.end()) return "";
  return std::nullopt;
}

std::optional<std::string> seconds_of(const std::string& text) {
  const std::optional<std::int64_t> seconds = parse_lkp_seconds(text);
  return seconds ? std::optional(std::to_string(*seconds)) : std::nullopt;
}

std::optional<std::string> typed(const Parameter& parameter, const std::string& text,
                                 const HostFacts& facts) {
  switch (parameter.type) {
    case Parameter::Type::text:
      return text;
    case Parameter::Type::integer:
      return parse_int(text) ? std::optional(text) : std::nullopt;
    case Parameter::Type::count:
      return count_of(text, facts);
    case Parameter::Type::seconds:
      return seconds_of(text);
    case Parameter::Type::bytes:
      return bytes_of(text, facts);
    case Parameter::Type::flag:
      return flag_of(text);
  }
  return std::nullopt;
}

// Threads, tasks: what is counted goes with the CPUs.
bool counts_tasks(const Parameter& parameter) {
  return parameter.name.starts_with("nr_") || parameter.name.ends_with("_threads");
}

std::string_view wanted(const Parameter& parameter) {
  switch (parameter.type) {
    case Parameter::Type::integer:
      return "a whole number";
    case Parameter::Type::count:
      return counts_tasks(parameter) ? "a number, or a share of the CPUs like 50%" : "a whole number from 1";
    case Parameter::Type::seconds:
      return "a time like 300s or 5m";
    case Parameter::Type::bytes:
      return "a size like 4096 or 10K";
    case Parameter::Type::flag:
      return "1 or 0";
    case Parameter::Type::text:
      break;
  }
  return "a text";
}

tl::unexpected<Error> refuse(const Suite& suite, const Parameter& parameter, const Given& value,
                             const std::string& why, std::string hint) {
  const std::string place = value.place.empty() ? "" : value.place + ": ";
  return usage_error(
      fmt::format("{}planning {}: {} '{}' {}", place, suite.name, parameter.name, printable(value.text), why),
      std::move(hint));
}

Result<std::string> default_value(const Suite& suite, const Parameter& parameter, const Values& values) {
  if (parameter.required) {
    return usage_error(fmt::format("planning {}: parameter '{}' is missing", suite.name, parameter.name),
                       parameter.help);
  }
  if (parameter.type == Parameter::Type::text || parameter.fallback.empty()) return parameter.fallback;
  if (parameter.type == Parameter::Type::flag) return flag_of(parameter.fallback).value_or("");
  const Result<std::optional<double>> value = number_of(parameter.fallback, values);
  if (!value) return fail(value.error().in(suite.file + ": default of " + parameter.name));
  return *value ? number_word(std::trunc(**value)) : "";
}

Result<std::string> parameter_value(const Suite& suite, const Parameter& parameter,
                                    const std::optional<Given>& value, const Values& values,
                                    const HostFacts& facts) {
  if (!value || value->text.empty()) return default_value(suite, parameter, values);
  const std::optional<std::string> result = typed(parameter, value->text, facts);
  if (!result) return refuse(suite, parameter, *value, fmt::format("is not {}", wanted(parameter)), "");
  const bool free =
      parameter.choices.empty() || std::ranges::find(parameter.choices, *result) != parameter.choices.end();
  if (!free) {
    const std::string guess = or_rather(*result, parameter.choices);
    const bool list = guess.empty() || parameter.choices.size() <= kFewChoices;
    return refuse(suite, parameter, *value, "is none of its choices" + guess,
                  list ? "choices: " + join(parameter.choices, ", ") : "");
  }
  if (parameter.type == Parameter::Type::count && *result == "0" && !value->text.ends_with('%'))
    return refuse(suite, parameter, *value, "is no number from 1", "");
  if (parameter.type == Parameter::Type::count && *result == "0")
    return refuse(suite, parameter, *value, fmt::format("is 0 on this machine of {} CPUs", facts.nr_cpu), "");
  return *result;
}

// Options that the job language itself knows for every program.
constexpr std::array<std::string_view, 6> kCommonOptions = {"cluster",      "engine",        "cpus",
                                                            "nr_instances", "cpu_node_bind", "mem_node_bind"};

Status check_options(const Suite& suite, const model::UnitJob& job) {
  const Node* program = program_node(suite, job);
  if (program == nullptr || !program->is_map()) return {};
  std::vector<std::string> known;
  for (const Parameter& parameter : suite.parameters) known.push_back(parameter.name);
  for (const auto& [key, value] : program->entries()) {
    if (suite.find_parameter(key) != nullptr ||
        std::ranges::find(kCommonOptions, key) != kCommonOptions.end())
      continue;
    const std::string where = place_of(job, value);
    const std::string place = where.empty() ? "" : where + ": ";
    return usage_error(fmt::format("{}planning {}: it has no parameter '{}'{}", place, suite.name,
                                   printable(key), or_rather(key, known)),
                       "parameters: " + join(known, ", "));
  }
  return {};
}

Values machine_values(const Suite& suite, const HostFacts& facts) {
  Values values(facts.names.begin(), facts.names.end());
  values["nr_cpu"] = std::to_string(facts.nr_cpu);
  values["memory_kb"] = std::to_string(facts.memory_kb);
  values["kilter-bench"] = facts.kilter_bench.empty() ? "kilter-bench" : facts.kilter_bench;
  values["source"] = facts.install_root + "/" + suite.name;
  return values;
}

// --- the workload

Result<double> seconds_value(const std::string& expression, const Values& values, double otherwise) {
  ASSIGN_OR_RETURN(const std::optional<double> value, number_of(expression, values));
  return std::max(0.0, value.value_or(otherwise));
}

Result<int> count_value(const std::string& expression, const Values& values) {
  ASSIGN_OR_RETURN(const std::optional<double> value, number_of(expression, values));
  return static_cast<int>(std::clamp(value.value_or(1), 1.0, 1e6));
}

Result<model::PlannedCommand> plan_command(const CommandTemplate& command, const Values& values) {
  model::PlannedCommand planned;
  ASSIGN_OR_RETURN(planned.argv, expand_words(command.argv, values));
  for (const auto& [name, text] : command.env) {
    ASSIGN_OR_RETURN(planned.env[name], fill(text, values));
  }
  ASSIGN_OR_RETURN(planned.cwd, fill(command.cwd, values));
  ASSIGN_OR_RETURN(planned.stdin_text, fill(command.stdin_text, values));
  ASSIGN_OR_RETURN(planned.copies, count_value(command.copies, values));
  planned.timed = command.timed;
  planned.quiet = command.quiet;
  planned.may_fail = command.may_fail;
  planned.disable_aslr = command.disable_aslr;
  if (planned.argv.empty()) return usage_error(command.argv.mark.text() + ": the command has no words");
  return planned;
}

Result<std::vector<model::PlannedCommand>> plan_commands(const std::vector<CommandTemplate>& commands,
                                                         const Values& values) {
  std::vector<model::PlannedCommand> planned;
  for (const CommandTemplate& command : commands) {
    bool wanted_here = true;
    if (!command.when.empty()) {
      ASSIGN_OR_RETURN(wanted_here, holds(command.when, values));
    }
    if (!wanted_here) continue;
    ASSIGN_OR_RETURN(model::PlannedCommand one, plan_command(command, values));
    planned.push_back(std::move(one));
  }
  return planned;
}

Result<bool> can_serve(const Engine& engine, const Values& values) {
  return engine.when.empty() ? Result<bool>(true) : holds(engine.when, values);
}

Result<const Engine*> named_engine(const Suite& suite, const std::string& name, const Values& values) {
  const Engine* engine = suite.find_engine(name);
  std::vector<std::string> known;
  for (const Engine& one : suite.engines) known.push_back(one.name);
  if (engine == nullptr) {
    return usage_error(fmt::format("planning {}: it has no engine '{}'{}", suite.name, printable(name),
                                   or_rather(name, known)),
                       "engines: " + join(known, ", "));
  }
  ASSIGN_OR_RETURN(const bool serves, can_serve(*engine, values));
  if (!serves)
    return usage_error(fmt::format("planning {}: the engine '{}' cannot do this test", suite.name, name),
                       "it serves: " + engine->when);
  return engine;
}

Result<const Engine*> choose_engine(const Suite& suite, const model::UnitJob& job, const Values& values) {
  const std::optional<Given> name = given(suite, job, "engine");
  if (name && !name->text.empty()) return named_engine(suite, name->text, values);
  for (const Engine& engine : suite.engines) {
    ASSIGN_OR_RETURN(const bool serves, can_serve(engine, values));
    if (serves) return &engine;
  }
  return usage_error(fmt::format("planning {}: no engine can do this test", suite.name));
}

constexpr double kSlack = 120;
constexpr double kUnknownLimit = 3600;

Status plan_times(const Suite& suite, const Engine& engine, const Values& values, model::Workload& workload) {
  ASSIGN_OR_RETURN(const std::optional<double> times, number_of(engine.times, values));
  if (!times) {
    ASSIGN_OR_RETURN(workload.min_seconds, seconds_value(engine.seconds, values, 0));
  } else {
    ASSIGN_OR_RETURN(workload.iterations, count_value(engine.times, values));
  }
  workload.report_iterations = engine.report_iterations;
  ASSIGN_OR_RETURN(workload.expected_seconds, seconds_value(suite.expected, values, 0));
  const double otherwise =
      workload.expected_seconds > 0 ? workload.expected_seconds * 3 + kSlack : kUnknownLimit;
  ASSIGN_OR_RETURN(workload.timeout, seconds_value(suite.time_limit, values, otherwise));
  return {};
}

}  // namespace

Result<Values> job_values(const Suite& suite, const model::UnitJob& job, const HostFacts& facts) {
  TRY(check_options(suite, job));
  Values values = machine_values(suite, facts);
  for (const Parameter& parameter : suite.parameters) {
    const std::optional<Given> value = given(suite, job, parameter.name);
    ASSIGN_OR_RETURN(std::string text, parameter_value(suite, parameter, value, values, facts));
    values[parameter.name] = std::move(text);
  }
  for (const auto& [name, expression] : suite.values) {
    const Result<std::optional<double>> value = number_of(expression, values);
    if (!value) return fail(value.error().in(suite.file + ": let " + name));
    values[name] = *value ? number_word(std::trunc(**value)) : "";
  }
  return values;
}

Result<model::Workload> plan_workload(const Suite& suite, const model::UnitJob& job, const HostFacts& facts) {
  ASSIGN_OR_RETURN(const Values values, job_values(suite, job, facts));
  ASSIGN_OR_RETURN(const Engine* engine, choose_engine(suite, job, values));
  model::Workload workload{.program = suite.program};
  workload.engine = engine->name;
  ASSIGN_OR_RETURN(workload.daemons, plan_commands(engine->daemons, values));
  ASSIGN_OR_RETURN(workload.body, plan_commands(engine->run, values));
  ASSIGN_OR_RETURN(workload.ready_port, fill(engine->ready_port, values));
  // Rules of regex and json parsers have braces of their own.
  const bool has_rules = suite.parser.starts_with("regex:") || suite.parser.starts_with("json:");
  workload.parser = suite.parser;
  if (!has_rules) {
    ASSIGN_OR_RETURN(workload.parser, fill(suite.parser, values));
  }
  TRY(plan_times(suite, *engine, values, workload));
  return workload;
}

}  // namespace kilter::suite
