#include "robot/ab_request.h"

#include "base/hash.h"
#include "base/text.h"
#include "model/json.h"
#include "os/affinity.h"
#include "os/perf_event.h"
#include "os/process.h"
#include "robot/ab_metric.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

namespace kilter::robot {
namespace {

using AbRequestJson = nlohmann::json;

constexpr const char* kAbShape = "kilter ab -- CMD_A -- CMD_B";
constexpr double kLongestBudget = 30 * 86400.0;
constexpr double kLeastBudget = 1e-9;
constexpr double kLeastDelta = 1e-12;
constexpr double kMostDelta = 10 - 1e-9;

Status check_range(const char* flag, int value, int least, int most) {
  if (value >= least && value <= most) return {};
  return usage_error(fmt::format("ab: {} {} is not from {} to {}", flag, value, least, most));
}

Status check_cpus(const std::vector<int>& cpus) {
  if (cpus.empty()) return {};
  ASSIGN_OR_RETURN(const std::vector<int> allowed, os::allowed_cpus());
  for (const int cpu : cpus)
    if (!std::ranges::binary_search(allowed, cpu))
      return usage_error(fmt::format("ab: --pin {}: CPU {} is not there, or not for this process", cpu, cpu),
                         "kilter machine lists the CPUs");
  return {};
}

// The files a command is made of, as they are now: a rebuilt program is another command.
AbRequestJson files_of(const std::vector<std::string>& argv) {
  AbRequestJson files = AbRequestJson::array();
  for (std::size_t i = 0; i < argv.size(); ++i) {
    const bool by_path = i == 0 && !argv[i].contains('/');
    const os::Path path = by_path ? os::find_program(argv[i]) : os::Path(argv[i]);
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) continue;
    const auto changed = std::filesystem::last_write_time(path, error).time_since_epoch().count();
    files.push_back({path.string(), std::filesystem::file_size(path, error), changed});
  }
  return files;
}

AbRequestJson what_is_measured(const AbRequest& request) {
  return {{"a", request.commands[0]},
          {"b", request.commands[1]},
          {"shell", request.shell},
          {"metric", static_cast<int>(request.metric)},
          {"pattern", request.pattern},
          {"better", static_cast<int>(request.better)},
          {"samples", request.samples},
          {"warmup", request.warmup},
          {"delta", request.delta},
          {"alpha", request.alpha},
          {"time_limit", request.time_limit},
          {"discard_output", request.discard_output},
          {"sync", request.sync},
          {"padding", request.padding},
          {"ignore_failure", request.ignore_failure},
          {"pre", request.pre},
          {"post", request.post},
          {"cpus", request.cpus},
          {"input", request.input.string()}};
}

std::vector<std::string> words_with_files(const AbRequest& request, std::size_t side) {
  if (!request.shell) return request.commands[side];
  std::vector<std::string> all;
  for (const std::string& text : request.commands[side])
    for (const std::string_view word : words(text)) all.emplace_back(word);
  return all;
}

bool is_between(double value, double low, double high) {  // no number is not
  return value >= low && value <= high;
}

}  // namespace

Status set_commands(AbRequest& request, const std::vector<std::string>& words) {
  if (words.empty()) return usage_error("ab: no command was given", kAbShape);
  const auto middle = std::ranges::find(words, "--");
  if (middle == words.end())
    return usage_error("ab: there is one command, and a second '--' is missing", kAbShape);
  if (std::find(middle + 1, words.end(), "--") != words.end())
    return usage_error("ab: there are more than two commands",
                       "a '--' inside a command needs --shell, with each command in quotes: "
                       "kilter ab --shell -- 'cmd -- a' -- 'cmd -- b'");
  request.commands[0].assign(words.begin(), middle);
  request.commands[1].assign(middle + 1, words.end());
  for (const std::size_t side : {0U, 1U})
    if (request.commands[side].empty() || request.commands[side].front().empty())
      return usage_error(fmt::format("ab: command {} is empty", side == 0 ? "A" : "B"), kAbShape);
  return {};
}

Status check_request(const AbRequest& request) {
  if (request.repeat != 0) TRY(check_range("--repeat", request.repeat, 1, kMostExecutions));
  if (request.samples != 0) TRY(check_range("--nest", request.samples, 1, kMostSamples));
  TRY(check_range("--warmup", request.warmup, 0, kMostExecutions));
  if (!is_between(request.delta, kLeastDelta, kMostDelta))
    return usage_error("ab: --delta is not above 0 and below 1000 %", "--delta 1%");
  if (!is_between(request.alpha, 1e-6, 0.2))
    return usage_error("ab: --alpha is not from 0.000001 to 0.2", "--alpha 0.01");
  if (!is_between(request.budget, kLeastBudget, kLongestBudget))
    return usage_error("ab: --budget is not above 0 and up to 30 days", "--budget 5m");
  if (request.metric == AbMetric::regex) {
    TRY(OutputMetric::compile(request.pattern));
    if (request.discard_output)
      return usage_error("ab: --null discards the output that --metric reads", "leave one of them out");
  }
  if (request.metric == AbMetric::time && request.better == model::Direction::higher_better)
    return usage_error("ab: --better higher does not fit a time", "it goes with --metric and --perf-stat");
  return check_cpus(request.cpus);
}

std::vector<std::string> argv_of(const AbRequest& request, const std::vector<std::string>& command) {
  if (!request.shell) return command;
  return {"/bin/sh", "-c", join(command, " ")};
}

std::string command_text(const AbRequest& request, std::size_t side) {
  const std::vector<std::string>& command = request.commands[side];
  return request.shell ? join(command, " ") : shell_join(command);
}

std::string metric_unit(const AbRequest& request) {
  const bool counted = request.metric == AbMetric::perf && os::is_time_event(request.pattern);
  return request.metric == AbMetric::time || counted ? "s" : "";
}

std::string campaign_key(const AbRequest& request, const model::Machine& box) {
  AbRequestJson json = what_is_measured(request);
  json["repeat"] = request.repeat;
  json["files"] = {files_of(words_with_files(request, 0)), files_of(words_with_files(request, 1))};
  std::error_code error;
  json["directory"] = std::filesystem::current_path(error).string();
  json["machine"] = box.fingerprint_id();
  json["boot"] = box.boot_id;
  return hash_hex(json.dump(-1, ' ', false, AbRequestJson::error_handler_t::replace));
}

std::string request_json(const AbRequest& request) {
  AbRequestJson json = what_is_measured(request);
  json["repeat"] = request.repeat;
  json["seed"] = request.seed;
  json["budget"] = request.budget;
  return json.dump(-1, ' ', false, AbRequestJson::error_handler_t::replace);
}

Result<AbSettled> settled_of(const std::string& text) {
  ASSIGN_OR_RETURN(const AbRequestJson json, model::parse_json(text, "reading a campaign's request"));
  const AbSettled settled{.repeat = model::member<int>(json, "repeat"),
                          .seed = model::member<std::uint64_t>(json, "seed")};
  if (settled.repeat < 1) return failure("reading a campaign's request: it has no number of executions");
  return settled;
}

}  // namespace kilter::robot
