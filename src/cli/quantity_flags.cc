#include "cli/quantity_flags.h"

#include "base/quantity.h"
#include "base/text.h"

#include <fmt/core.h>

namespace kilter::cli {
namespace {

constexpr double kLongestDuration = 365 * 86400.0;

}  // namespace

Result<double> parse_share_flag(const std::string& flag, const std::string& text, const ShareRange& range) {
  std::optional<double> value = parse_double(text);
  if (const std::optional<double> percent = parse_percent(text)) value = *percent / 100;
  if (!value) return usage_error(fmt::format("{} '{}' is no share", flag, printable(text)), "1% or .01");
  if (*value >= range.low && *value <= range.high) return *value;
  return usage_error(fmt::format("{} '{}' is not from {:g}% to {:g}%", flag, printable(text), 100 * range.low,
                                 100 * range.high));
}

Result<double> parse_duration_flag(const std::string& flag, const std::string& text) {
  const std::optional<double> seconds = parse_duration(text);
  if (!seconds || *seconds <= 0)
    return usage_error(fmt::format("{} '{}' is no duration", flag, printable(text)), "300s, 5m, 1h");
  if (*seconds > kLongestDuration)
    return usage_error(fmt::format("{} {} is longer than a year", flag, printable(text)));
  return *seconds;
}

}  // namespace kilter::cli
