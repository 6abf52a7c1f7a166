#pragma once

#include "base/result.h"
#include "model/series.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Two commands measured in turn, and what came of it.
namespace kilter::model {

enum class AbSide { a, b };
[[nodiscard]] constexpr std::string_view side_name(AbSide side) {
  return side == AbSide::a ? "A" : "B";
}

// One sample: the mean of `executions` executions of one side's command, one after the other. It is the unit
// of evidence.
struct AbSample {
  AbSide side = AbSide::a;
  int block = 0;
  int place = 0;     // within the block
  double ended = 0;  // seconds since the campaign began, without the times between its sittings
  int padding = 0;   // bytes put into the environment
  double value = 0;  // of the metric; NaN where every execution lacks it
  double wall = 0;   // seconds, as are the next two; of one execution
  double user = 0;
  double system = 0;
  double max_rss_kb = 0;    // the largest
  double switches = 0;      // context switches of an execution, of both kinds
  double output_bytes = 0;  // of an execution
  int executions = 1;
  int failures = 0;  // of the executions
};

// On one line.
[[nodiscard]] std::string ab_sample_text(const AbSample& sample);
[[nodiscard]] Result<AbSample> parse_ab_sample(std::string_view text);

struct AbReport {
  std::array<std::string, 2> commands;  // as a shell would take them
  std::string metric;                   // "time", a regular expression, a perf event
  std::string unit;                     // "s", "ns" or ""
  Direction better = Direction::unknown;
  bool is_time = false;           // "faster", not "lower"
  std::vector<AbSample> samples;  // in the order in which they were taken

  enum class Answer { changed, same, unknown } answer = Answer::unknown;
  enum class End { decided, runs, looks, budget } end = End::decided;
  bool significant = false;  // A and B differ, be it by less than `delta`
  bool tested = false;       // both sides have a sample; else the figures below are nothing
  // Relative to A: .02 is 2 % more.
  double effect = 0;
  double low = 0;  // the 99 % interval
  double high = 0;
  double p = 1;
  double resolution = 0;           // the smallest effect that could have been shown
  bool paired = false;             // neighbours in time were alike, so each was compared with its neighbour
  bool absolute = false;           // some value is not positive
  std::array<std::size_t, 2> n{};  // samples
  std::size_t more = 0;            // of each, for a resolution of `delta`; 0: nobody knows

  double delta = 0;
  double alpha = 0;
  double level = 0;   // that p was held to
  double budget = 0;  // seconds
  double spent = 0;
  int repeat = 1;  // executions in a sample
  std::uint64_t seed = 0;
  std::vector<std::string> notes;

  // The values of one side, those that are missing left out.
  [[nodiscard]] std::vector<double> values(AbSide side) const;
};

}  // namespace kilter::model
