#include "model/number.h"

#include <fmt/core.h>

#include <cmath>

namespace kilter::model {
namespace {

// Ruby prints floats plainly from 1e-4 up to 1e16, else as d.ddde+XX; always with a fraction.
std::string ruby_float(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  const double size = std::abs(value);
  if (size != 0 && (size < 1e-4 || size >= 1e16)) {
    std::string text = fmt::format("{:e}", value);
    // {:e} is not shortest; take the shortest digits and rebuild the exponent form.
    const std::string shortest = fmt::format("{}", value);
    if (shortest.find('e') != std::string::npos) text = shortest;
    const std::size_t exponent = text.find('e');
    std::string digits = text.substr(0, exponent);
    if (!digits.contains('.')) digits += ".0";
    return digits + text.substr(exponent);
  }
  std::string text = fmt::format("{}", value);
  if (text.find('e') != std::string::npos) text = fmt::format("{:.1f}", value);
  if (!text.contains('.')) text += ".0";
  return text;
}

}  // namespace

std::string Number::json() const {
  return is_integer_ ? fmt::format("{}", integer_) : ruby_float(value_);
}

}  // namespace kilter::model
