#include "robot/ab_metric.h"

#include "base/regex_fault.h"
#include "base/text.h"

#include <fmt/core.h>

#include <cmath>
#include <optional>
#include <regex>

namespace kilter::robot {
namespace {

constexpr std::size_t kLongestOutputLine = 4096;  // its end is not looked at

std::optional<std::string> last_match_in(std::string_view line, const std::regex& regex) {
  line = line.substr(0, kLongestOutputLine);
  std::optional<std::string> found;
  for (std::cregex_iterator it(line.data(), line.data() + line.size(), regex), end; it != end; ++it)
    found = (*it)[it->size() > 1 ? 1 : 0].str();
  return found;
}

}  // namespace

struct OutputMetric::Compiled {
  std::string pattern;
  std::regex regex;
};

OutputMetric::OutputMetric(std::unique_ptr<Compiled> compiled) : compiled_(std::move(compiled)) {}
OutputMetric::OutputMetric(OutputMetric&&) noexcept = default;
OutputMetric& OutputMetric::operator=(OutputMetric&&) noexcept = default;
OutputMetric::~OutputMetric() = default;

Result<OutputMetric> OutputMetric::compile(const std::string& pattern) {
  if (pattern.empty()) return usage_error("--metric: the pattern is empty", "--metric 'ops/s: ([0-9.]+)'");
  try {
    // Matching in time that is bounded by the line, and without recursion by character.
    return OutputMetric(std::make_unique<Compiled>(
        Compiled{.pattern = pattern,
                 .regex = std::regex(pattern, std::regex::ECMAScript | std::regex_constants::__polynomial)}));
  } catch (const std::regex_error& error) {
    return usage_error(fmt::format("--metric '{}': {}", printable(pattern), regex_fault(error)),
                       "an ECMAScript pattern with a group around the number: 'ops/s: ([0-9.]+)'");
  }
}

Result<double> OutputMetric::read(std::string_view output) const {
  const std::vector<std::string_view> all = lines(output);
  for (auto line = all.rbegin(); line != all.rend(); ++line) {
    const std::optional<std::string> found = last_match_in(*line, compiled_->regex);
    if (!found) continue;
    const std::optional<double> value = parse_double(trim(*found));
    if (value && std::isfinite(*value)) return *value;
    return failure(fmt::format("--metric '{}' matches '{}', which is no number",
                               printable(compiled_->pattern), printable(*found)),
                   "put a group around the number alone: 'ops/s: ([0-9.]+)'");
  }
  return failure(fmt::format("--metric '{}' matches nothing of the output: {}", printable(compiled_->pattern),
                             output.empty() ? "there is none" : last_lines(output, 3)));
}

}  // namespace kilter::robot
