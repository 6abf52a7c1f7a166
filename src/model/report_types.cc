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

std::string figure_text(double value) {
  const double size = std::abs(value);
  return size > 0 && size < 1 ? fmt::format("{:#.3g}", value) : average_text(value);
}

}  // namespace kilter::model
