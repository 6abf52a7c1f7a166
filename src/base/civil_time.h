#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// Dates of UTC. Pure.
namespace kilter {

// "2015-01-11" and "20:18:35" read as UTC, whatever zone the text names: LKP's rule for recorded stamps.
[[nodiscard]] std::optional<std::int64_t> utc_seconds(std::string_view date, std::string_view clock);
[[nodiscard]] std::string utc_date(double seconds);   // "2015-01-11"
[[nodiscard]] std::string utc_clock(double seconds);  // "20:18:35"

}  // namespace kilter
