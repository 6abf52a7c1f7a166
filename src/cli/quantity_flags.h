#pragma once

#include "base/result.h"

#include <string>

// Values of flags in the units people type. `flag` begins messages: "run: --budget".
namespace kilter::cli {

struct ShareRange {
  double low = 0;
  double high = 1;
};
// "99%" or ".99" -> .99
[[nodiscard]] Result<double> parse_share_flag(const std::string& flag, const std::string& text,
                                              const ShareRange& range);
// "20m" -> 1200 seconds; above 0, and a year at most
[[nodiscard]] Result<double> parse_duration_flag(const std::string& flag, const std::string& text);

}  // namespace kilter::cli
