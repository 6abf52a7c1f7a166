#pragma once

#include "base/result.h"
#include "model/machine.h"
#include "model/series.h"
#include "os/files.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

// What `kilter ab` was asked to measure.
namespace kilter::robot {

inline constexpr int kMostSamples = 100000;  // a side
inline constexpr int kMostExecutions = 1000000;

enum class AbMetric { time, regex, perf };

struct AbRequest {
  std::array<std::vector<std::string>, 2> commands;  // words of argv; with `shell` a text each
  bool shell = false;                                // sh runs the commands, and --pre and --post
  AbMetric metric = AbMetric::time;
  std::string pattern;  // the regular expression, or the event
  model::Direction better = model::Direction::unknown;

  int repeat = 0;   // executions in a sample; 0: as many as fill kShortSample
  int samples = 0;  // a side; 0: until it is decided
  int warmup = 1;   // executions of each side that are discarded
  double delta = 0.01;
  double alpha = 0.01;
  double budget = 300;    // seconds
  double time_limit = 0;  // of one execution; 0: none
  bool discard_output = false;
  bool sync = false;
  bool padding = true;
  bool ignore_failure = false;
  std::string pre;  // before each execution
  std::string post;
  std::vector<int> cpus;
  os::Path input;
  std::uint64_t seed = 0;
};

// A sample is made this long where --repeat does not say otherwise, seconds: far above the grain of what
// starting a process costs.
inline constexpr double kShortSample = 0.05;

// `words` are those after the first "--": A, "--", B. Anything else is a usage error.
[[nodiscard]] Status set_commands(AbRequest& request, const std::vector<std::string>& words);
// Ranges, the pattern, CPUs that are not there.
[[nodiscard]] Status check_request(const AbRequest& request);

// The words to execute.
[[nodiscard]] std::vector<std::string> argv_of(const AbRequest& request,
                                               const std::vector<std::string>& command);
// As one would type it.
[[nodiscard]] std::string command_text(const AbRequest& request, std::size_t side);

// Of the metric: "s" for all times, counters of nanoseconds too; "" where nobody knows.
[[nodiscard]] std::string metric_unit(const AbRequest& request);

// What makes two requests the same campaign: what is measured and how, in this directory, by these very
// programs (their files' sizes and times), on this machine since it was booted. Not the budget and the seed.
[[nodiscard]] std::string campaign_key(const AbRequest& request, const model::Machine& box);
// The request as it is kept in the database; `repeat` is the number that was settled.
[[nodiscard]] std::string request_json(const AbRequest& request);

// What must be taken over from the stored request when a campaign goes on.
struct AbSettled {
  int repeat = 1;
  std::uint64_t seed = 0;
};
[[nodiscard]] Result<AbSettled> settled_of(const std::string& request_json);

}  // namespace kilter::robot
