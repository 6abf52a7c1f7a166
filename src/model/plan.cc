#include "model/plan.h"

#include "model/json.h"

namespace kilter::model {
namespace {

using Json = nlohmann::json;
using Strings = std::vector<std::string>;
using StringMap = std::map<std::string, std::string>;

NLOHMANN_JSON_SERIALIZE_ENUM(Step::Kind, {{Step::Kind::write, "write"},
                                          {Step::Kind::run, "run"},
                                          {Step::Kind::drop_caches, "drop_caches"}})

Json json_of(const Step& step) {
  return {{"name", step.name}, {"kind", step.kind}, {"path", step.path},        {"value", step.value},
          {"argv", step.argv}, {"undo", step.undo}, {"required", step.required}};
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
          {"parser", workload.parser},
          {"engine", workload.engine}};
}

Step step_of(const Json& json) {
  return {.name = member<std::string>(json, "name"),
          .kind = member<Step::Kind>(json, "kind"),
          .path = member<std::string>(json, "path"),
          .value = member<std::string>(json, "value"),
          .argv = member<Strings>(json, "argv"),
          .undo = member<Strings>(json, "undo"),
          .required = member<bool>(json, "required")};
}

Recorder recorder_of(const Json& json) {
  return {member<std::string>(json, "name"), member<Strings>(json, "argv"), member<Strings>(json, "monitors"),
          member<std::vector<int>>(json, "cpus")};
}

UnavailableMonitor unavailable_of(const Json& json) {
  return {member<std::string>(json, "name"), member<std::string>(json, "reason")};
}

SkippedSetting setting_of(const Json& json) {
  return {member<std::string>(json, "name"), member<std::string>(json, "reason")};
}

PlannedCommand command_of(const Json& json) {
  return {.argv = member<Strings>(json, "argv"),
          .env = member<StringMap>(json, "env"),
          .cwd = member<std::string>(json, "cwd"),
          .stdin_text = member<std::string>(json, "stdin"),
          .cpus = member<std::vector<int>>(json, "cpus"),
          .mem_nodes = member<std::vector<int>>(json, "mem_nodes"),
          .disable_aslr = member<bool>(json, "disable_aslr"),
          .copies = member<int>(json, "copies", 1),
          .timed = member<bool>(json, "timed"),
          .quiet = member<bool>(json, "quiet"),
          .may_fail = member<bool>(json, "may_fail")};
}

template <class T>
std::vector<T> list_of(const Json& json, const char* key, T (*read)(const Json&)) {
  std::vector<T> items;
  if (json.contains(key))
    for (const Json& item : json.at(key)) items.push_back(read(item));
  return items;
}

Workload workload_of(const Json& json) {
  return {.program = member<std::string>(json, "program"),
          .daemons = list_of<PlannedCommand>(json, "daemons", command_of),
          .ready_port = member<std::string>(json, "ready_port"),
          .body = list_of<PlannedCommand>(json, "body", command_of),
          .iterations = member<int>(json, "iterations", 1),
          .min_seconds = member<double>(json, "min_seconds"),
          .report_iterations = member<bool>(json, "report_iterations"),
          .expected_seconds = member<double>(json, "expected_seconds"),
          .timeout = member<double>(json, "timeout"),
          .parser = member<std::string>(json, "parser"),
          .engine = member<std::string>(json, "engine")};
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

Result<Plan> plan_from_json(const nlohmann::json& json) {
  if (!json.is_object() || !json.contains("workload")) return failure("reading a plan: it has no workload");
  Plan plan;
  plan.testcase = member<std::string>(json, "testcase");
  plan.parameters = member<StringMap>(json, "parameters");
  plan.build = member<std::string>(json, "build");
  plan.setup = list_of<Step>(json, "setup", step_of);
  plan.recorders = list_of<Recorder>(json, "recorders", recorder_of);
  plan.unavailable = list_of<UnavailableMonitor>(json, "unavailable", unavailable_of);
  plan.skipped = list_of<SkippedSetting>(json, "skipped", setting_of);
  plan.workload = workload_of(json.at("workload"));
  return plan;
}

}  // namespace kilter::model
