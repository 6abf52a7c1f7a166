#include "base/quantity.h"

#include "base/text.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace kilter {
namespace {

std::int64_t lkp_unit_seconds(char unit) {
  constexpr std::int64_t kDay = std::int64_t{24} * 3600;
  switch (unit) {
    case 'y':
      return 365 * kDay;
    case 'w':
      return 7 * kDay;
    case 'd':
      return kDay;
    case 'h':
      return 3600;
    case 'm':
      return 60;
    default:
      return 1;
  }
}

std::optional<double> duration_unit(std::string_view unit) {
  if (unit.empty() || unit == "s" || unit == "sec") return 1.0;
  if (unit == "ms") return 1e-3;
  if (unit == "m" || unit == "min") return 60.0;
  if (unit == "h") return 3600.0;
  if (unit == "d") return 86400.0;
  return std::nullopt;
}

}  // namespace

std::optional<double> parse_percent(std::string_view text) {
  if (!text.ends_with('%')) return std::nullopt;
  text.remove_suffix(1);
  return parse_double(text);
}

std::optional<std::int64_t> parse_lkp_seconds(std::string_view text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::optional<std::int64_t> whole = parse_int(text.substr(0, digits));
  if (!whole) return std::nullopt;
  const std::int64_t unit = text.empty() ? 1 : lkp_unit_seconds(text.back());
  if (*whole > INT64_MAX / unit) return std::nullopt;
  return *whole * unit;
}

std::optional<std::int64_t> parse_bytes(std::string_view text) {
  if (!text.empty() && (text.back() == 'B' || text.back() == 'b')) text.remove_suffix(1);
  if (text.size() < 2) return std::nullopt;
  const std::size_t power = std::string_view("KMGTP").find(static_cast<char>(std::toupper(text.back())));
  const std::optional<std::int64_t> count = parse_int(text.substr(0, text.size() - 1));
  if (power == std::string_view::npos || !count || *count < 0) return std::nullopt;
  const int shift = 10 * (static_cast<int>(power) + 1);
  if (*count > (INT64_MAX >> shift)) return std::nullopt;
  return *count << shift;
}

std::optional<double> parse_duration(std::string_view text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789."), text.size());
  const std::optional<double> count = parse_double(text.substr(0, digits));
  const std::optional<double> unit = duration_unit(text.substr(digits));
  if (!count || !unit) return std::nullopt;
  return *count * *unit;
}

std::string format_duration(double seconds) {
  if (seconds < 10) return fmt::format("{:.1f}s", seconds);
  const std::int64_t whole = std::llround(seconds);
  if (whole < 60) return fmt::format("{}s", whole);
  if (whole < 3600) return fmt::format("{}m{:02}s", whole / 60, whole % 60);
  return fmt::format("{}h{:02}m", whole / 3600, whole % 3600 / 60);
}

std::string format_bytes(double bytes) {
  constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  while (bytes >= 1024 && unit + 1 < std::size(kUnits)) {
    bytes /= 1024;
    ++unit;
  }
  return unit == 0 ? fmt::format("{} B", std::llround(bytes)) : fmt::format("{:.1f} {}", bytes, kUnits[unit]);
}

}  // namespace kilter
