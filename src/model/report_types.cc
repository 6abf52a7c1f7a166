#include "model/report_types.h"

#include <fmt/core.h>

#include <cmath>

namespace kilter::model {

std::string average_text(double average) {
  const double size = std::abs(average);
  if (size < 1000) return fmt::format("{:.2f}", average);
  if (size <= 1e8) return fmt::format("{}", static_cast<std::int64_t>(average));
  return fmt::format("{:.4g}", average);
}

}  // namespace kilter::model
