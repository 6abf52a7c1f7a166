#pragma once

#include "base/result.h"
#include "model/axes.h"

#include <nlohmann/json_fwd.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kilter::model {

// How a run ended. Only `ok` runs enter performance statistics; no other is ever read as good, bad or zero.
enum class Outcome {
  ok,
  build_failed,
  boot_failed,
  crashed,
  test_failed,
  timed_out,
  infra_failed,
  unmeasured
};
[[nodiscard]] std::string_view outcome_name(Outcome outcome);  // "build-failed"
[[nodiscard]] std::optional<Outcome> parse_outcome(std::string_view name);

// outcome.json of a run directory, and a row of the run table.
struct RunRecord {
  Axes axes;                // commit included
  std::string path_params;  // second component of the result path
  int number = -1;          // last component of the result path
  std::string directory;    // absolute run directory
  Outcome outcome = Outcome::infra_failed;
  std::string reason;    // one line, for every outcome but ok
  std::string project;   // "" for a plain local run
  std::string build_id;  // hash of what was measured; "" when nothing was built
  std::string boot_id;
  std::string session;  // one kilter invocation
  int block = -1;       // place in an interleaving block; -1 = not interleaved
  int place = -1;
  std::string fingerprint;  // Machine::fingerprint_id
  std::string engine;       // "builtin", "upstream" or ""
  std::string origin;       // where an imported run was taken from; "" for a run of our own
  double started = 0;       // seconds since 1970
  double elapsed = 0;       // seconds of the workload
  double overhead = 0;      // seconds kilter added around it
  double monitor_cpu = 0;   // CPU seconds of the recorders
  // Settings that label the run and were not made, with the reason: "disk: kilter does not prepare disks".
  std::vector<std::string> skipped_settings;
};

void to_json(nlohmann::json& json, const RunRecord& record);
[[nodiscard]] Result<RunRecord> run_record_from_json(const nlohmann::json& json);

}  // namespace kilter::model
