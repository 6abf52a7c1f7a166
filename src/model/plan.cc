#include "model/plan.h"

#include "model/json.h"
#include "model/strict_json.h"

#include <array>

namespace kilter::model {
namespace {

using Json = nlohmann::json;
using Strings = std::vector<std::string>;
using StringMap = std::map<std::string, std::string>;

constexpr std::array<std::string_view, 3> kKinds = {"write", "run",
                                                    "drop_caches"};  // in the order of Step::Kind

Json json_of(const Step& step) {
  return {{"name", step.name},        {"kind", kKinds.at(static_cast<std::size_t>(step.kind))},
          {"path", step.path},        {"value", step.value},
          {"argv", step.argv},        {"undo", step.undo},
          {"required", step.required}};
}

Json json_of(const Recorder& recorder) {
  return {{"name", recorder.name},
          {"argv", recorder.argv},
          {"monitors", recorder.monitors},
          {"cpus", recorder.cpus}};
}

Json json_of(const UnavailableMonitor& monitor) {
  return {{"name", monitor.name}, {"reason", monitor.reason}};
}

Json json_of(const SkippedSetting& setting) {
  return {{"name", setting.name}, {"reason", setting.reason}};
}

Json json_of(const PlannedCommand& command) {
  return {{"argv", command.argv},
          {"env", command.env},
          {"cwd", command.cwd},
          {"stdin", command.stdin_text},
          {"cpus", command.cpus},
          {"mem_nodes", command.mem_nodes},
          {"disable_aslr", command.disable_aslr},
          {"copies", command.copies},
          {"timed", command.timed},
          {"quiet", command.quiet},
          {"may_fail", command.may_fail}};
}

template <class T>
Json json_list(const std::vector<T>& items) {
  Json list = Json::array();
  for (const T& item : items) list.push_back(json_of(item));
  return list;
}

Json json_of(const Workload& workload) {
  return {{"program", workload.program},
          {"daemons", json_list(workload.daemons)},
          {"ready_port", workload.ready_port},
          {"body", json_list(workload.body)},
          {"iterations", workload.iterations},
          {"min_seconds", workload.min_seconds},
          {"report_iterations", workload.report_iterations},
          {"expected_seconds", workload.expected_seconds},
          {"timeout", workload.timeout},
          {"env_padding", workload.env_padding},
          {"parser", workload.parser},
          {"engine", workload.engine}};
}

Step::Kind kind_of(const Json& json) {
  const auto given = json.find("kind");
  for (std::size_t kind = 0; kind < kKinds.size(); ++kind)  // plans of older kilters have their number
    if (given == json.end() || *given == kKinds[kind] || *given == kind) return static_cast<Step::Kind>(kind);
  throw strict::WrongMember{"kind", "write, run or drop_caches"};
}

Step step_of(const Json& json) {
  return {.name = strict::member<std::string>(json, "name"),
          .kind = kind_of(json),
          .path = strict::member<std::string>(json, "path"),
          .value = strict::member<std::string>(json, "value"),
          .argv = strict::member<Strings>(json, "argv"),
          .undo = strict::member<Strings>(json, "undo"),
          .required = strict::member<bool>(json, "required")};
}

Recorder recorder_of(const Json& json) {
  return {strict::member<std::string>(json, "name"), strict::member<Strings>(json, "argv"),
          strict::member<Strings>(json, "monitors"), strict::member<std::vector<int>>(json, "cpus")};
}

UnavailableMonitor unavailable_of(const Json& json) {
  return {strict::member<std::string>(json, "name"), strict::member<std::string>(json, "reason")};
}

SkippedSetting setting_of(const Json& json) {
  return {strict::member<std::string>(json, "name"), strict::member<std::string>(json, "reason")};
}

PlannedCommand command_of(const Json& json) {
  return {.argv = strict::member<Strings>(json, "argv"),
          .env = strict::member<StringMap>(json, "env"),
          .cwd = strict::member<std::string>(json, "cwd"),
          .stdin_text = strict::member<std::string>(json, "stdin"),
          .cpus = strict::member<std::vector<int>>(json, "cpus"),
          .mem_nodes = strict::member<std::vector<int>>(json, "mem_nodes"),
          .disable_aslr = strict::member<bool>(json, "disable_aslr"),
          .copies = strict::member<int>(json, "copies", 1),
          .timed = strict::member<bool>(json, "timed"),
          .quiet = strict::member<bool>(json, "quiet"),
          .may_fail = strict::member<bool>(json, "may_fail")};
}

Workload workload_of(const Json& json) {
  return {.program = strict::member<std::string>(json, "program"),
          .daemons = strict::list(json, "daemons", command_of),
          .ready_port = strict::member<std::string>(json, "ready_port"),
          .body = strict::list(json, "body", command_of),
          .iterations = strict::member<int>(json, "iterations", 1),
          .min_seconds = strict::member<double>(json, "min_seconds"),
          .report_iterations = strict::member<bool>(json, "report_iterations"),
          .expected_seconds = strict::member<double>(json, "expected_seconds"),
          .timeout = strict::member<double>(json, "timeout"),
          .env_padding = strict::member<int>(json, "env_padding"),
          .parser = strict::member<std::string>(json, "parser"),
          .engine = strict::member<std::string>(json, "engine")};
}

}  // namespace

void to_json(nlohmann::json& json, const Plan& plan) {
  json = {{"testcase", plan.testcase},
          {"parameters", plan.parameters},
          {"build", plan.build},
          {"setup", json_list(plan.setup)},
          {"recorders", json_list(plan.recorders)},
          {"unavailable", json_list(plan.unavailable)},
          {"skipped", json_list(plan.skipped)},
          {"workload", json_of(plan.workload)}};
}

Result<Plan> plan_from_json(const nlohmann::json& json) try {
  if (!json.is_object() || !json.contains("workload")) return failure("the plan has no workload");
  Plan plan;
  plan.testcase = strict::member<std::string>(json, "testcase");
  plan.parameters = strict::member<StringMap>(json, "parameters");
  plan.build = strict::member<std::string>(json, "build");
  plan.setup = strict::list(json, "setup", step_of);
  plan.recorders = strict::list(json, "recorders", recorder_of);
  plan.unavailable = strict::list(json, "unavailable", unavailable_of);
  plan.skipped = strict::list(json, "skipped", setting_of);
  plan.workload = strict::object(json.at("workload"), "workload", workload_of);
  return plan;
} catch (const strict::WrongMember& wrong) {
  return failure("the plan's " + wrong.text());
}

}  // namespace kilter::model
