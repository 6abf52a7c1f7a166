#include "model/run.h"

#include "model/json.h"

#include <algorithm>

namespace kilter::model {
namespace {

struct Name {
  Outcome outcome;
  std::string_view text;
};

constexpr std::array<Name, 8> kNames = {{{Outcome::ok, "ok"},
                                         {Outcome::build_failed, "build-failed"},
                                         {Outcome::boot_failed, "boot-failed"},
                                         {Outcome::crashed, "crashed"},
                                         {Outcome::test_failed, "test-failed"},
                                         {Outcome::timed_out, "timed-out"},
                                         {Outcome::infra_failed, "infra-failed"},
                                         {Outcome::unmeasured, "unmeasured"}}};

}  // namespace

std::string_view outcome_name(Outcome outcome) {
  return std::ranges::find(kNames, outcome, &Name::outcome)->text;
}

std::optional<Outcome> parse_outcome(std::string_view name) {
  const auto it = std::ranges::find(kNames, name, &Name::text);
  if (it == kNames.end()) return std::nullopt;
  return it->outcome;
}

void to_json(nlohmann::json& json, const RunRecord& record) {
  json = {{"axes", record.axes},
          {"path_params", record.path_params},
          {"number", record.number},
          {"outcome", outcome_name(record.outcome)},
          {"reason", record.reason},
          {"project", record.project},
          {"build_id", record.build_id},
          {"boot_id", record.boot_id},
          {"session", record.session},
          {"block", record.block},
          {"place", record.place},
          {"fingerprint", record.fingerprint},
          {"engine", record.engine},
          {"origin", record.origin},
          {"started", record.started},
          {"elapsed", record.elapsed},
          {"overhead", record.overhead},
          {"monitor_cpu", record.monitor_cpu},
          {"skipped_settings", record.skipped_settings}};
}

Result<RunRecord> run_record_from_json(const nlohmann::json& json) {
  const std::optional<Outcome> outcome = parse_outcome(member<std::string>(json, "outcome"));
  if (!outcome) return failure("reading a run's outcome.json: it names no outcome we know");
  RunRecord record;
  record.axes = member<Axes>(json, "axes");
  record.path_params = member<std::string>(json, "path_params");
  record.number = member<int>(json, "number", -1);
  record.outcome = *outcome;
  record.reason = member<std::string>(json, "reason");
  record.project = member<std::string>(json, "project");
  record.build_id = member<std::string>(json, "build_id");
  record.boot_id = member<std::string>(json, "boot_id");
  record.session = member<std::string>(json, "session");
  record.block = member<int>(json, "block", -1);
  record.place = member<int>(json, "place", -1);
  record.fingerprint = member<std::string>(json, "fingerprint");
  record.engine = member<std::string>(json, "engine");
  record.origin = member<std::string>(json, "origin");
  record.started = member<double>(json, "started");
  record.elapsed = member<double>(json, "elapsed");
  record.overhead = member<double>(json, "overhead");
  record.monitor_cpu = member<double>(json, "monitor_cpu");
  record.skipped_settings = member<std::vector<std::string>>(json, "skipped_settings");
  return record;
}

}  // namespace kilter::model
