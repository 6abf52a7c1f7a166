#include "base/civil_time.h"

#include "base/text.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

namespace kilter {
namespace {

namespace chrono = std::chrono;

// Three numbers of "a<separator>b<separator>c".
std::optional<std::vector<std::int64_t>> three(std::string_view text, char separator) {
  std::vector<std::int64_t> numbers;
  for (const std::string_view part : split(text, separator)) {
    const std::optional<std::int64_t> number = parse_int(part);
    if (!number || *number < 0 || *number > 9999) return std::nullopt;
    numbers.push_back(*number);
  }
  if (numbers.size() != 3) return std::nullopt;
  return numbers;
}

}  // namespace

std::optional<std::int64_t> utc_seconds(std::string_view date, std::string_view clock) {
  const auto day = three(date, '-');
  const auto time = three(clock, ':');
  if (!day || !time) return std::nullopt;
  const chrono::year_month_day civil{chrono::year(static_cast<int>((*day)[0])),
                                     chrono::month(static_cast<unsigned>((*day)[1])),
                                     chrono::day(static_cast<unsigned>((*day)[2]))};
  if (!civil.ok()) return std::nullopt;
  const std::int64_t days = chrono::sys_days(civil).time_since_epoch().count();
  return days * 86400 + (*time)[0] * 3600 + (*time)[1] * 60 + (*time)[2];
}

std::string utc_date(double seconds) {
  constexpr double kLastDay = 2932896;  // of the year 9999
  const double days = std::clamp(std::floor(seconds / 86400), 0.0, kLastDay);
  const chrono::sys_days day{chrono::days(static_cast<int>(days))};
  const chrono::year_month_day civil(day);
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(civil.year()),
                     static_cast<unsigned>(civil.month()), static_cast<unsigned>(civil.day()));
}

std::string utc_clock(double seconds) {
  const std::int64_t whole = static_cast<std::int64_t>(std::floor(seconds)) % 86400;
  return fmt::format("{:02}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

}  // namespace kilter
