#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// Quantities as job files write them: "50%", "300s", "10K". Pure; nullopt means "not of this form".
namespace kilter {

// "50%" -> 50, "12.5%" -> 12.5.
[[nodiscard]] std::optional<double> parse_percent(std::string_view text);
// LKP's time rule: whole text; suffix y w d h m s (365-day year), none or unknown suffix -> the integer part;
// a fraction is cut before the unit is applied ("1.5m" -> 60).
[[nodiscard]] std::optional<std::int64_t> parse_lkp_seconds(std::string_view text);
// "<digits><K|M|G|T|P>[B]", any case -> bytes (powers of 1024).
[[nodiscard]] std::optional<std::int64_t> parse_bytes(std::string_view text);
// Durations people type in our own options: "20m", "1.5h", "90", "300s", "500ms" -> seconds.
[[nodiscard]] std::optional<double> parse_duration(std::string_view text);

// 75 -> "1m15s", 3.2 -> "3.2s", 7260 -> "2h01m": for progress lines.
[[nodiscard]] std::string format_duration(double seconds);
// 1536 -> "1.5 KiB".
[[nodiscard]] std::string format_bytes(double bytes);

}  // namespace kilter
