#include "report/ab_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace kilter::report {
namespace {

constexpr std::size_t kStripWidth = 72;
constexpr double kFarOut = 3;  // quartile distances outside the quartiles: drawn at the end of the strip

struct StripAxis {
  double low = 0;
  double high = 0;

  // The column of a value; those beyond the axis stand in its end columns.
  [[nodiscard]] std::size_t column(double value) const {
    if (!(high > low)) return kStripWidth / 2;
    const double at = (std::clamp(value, low, high) - low) / (high - low);
    return std::min(static_cast<std::size_t>(at * kStripWidth), kStripWidth - 1);
  }
};

// All samples but the far out.
StripAxis axis_of(std::vector<double> values) {
  std::ranges::sort(values);
  const double lower = values[values.size() / 4];
  const double upper = values[values.size() - 1 - values.size() / 4];
  const double reach = kFarOut * (upper - lower);
  StripAxis axis{.low = values.back(), .high = values.front()};
  for (const double value : values) {
    if (upper > lower && (value < lower - reach || value > upper + reach)) continue;
    axis.low = std::min(axis.low, value);
    axis.high = std::max(axis.high, value);
  }
  return axis;
}

using Counts = std::array<std::size_t, kStripWidth>;

Counts counts_on(const StripAxis& axis, const std::vector<double>& values) {
  Counts counts{};
  for (const double value : values) ++counts[axis.column(value)];
  return counts;
}

std::string strip(const Counts& counts, std::size_t most, bool utf8) {
  constexpr std::array<std::string_view, 8> kBlocks = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  constexpr std::array<std::string_view, 8> kLetters = {".", ":", "-", "=", "+", "*", "#", "@"};
  const std::array<std::string_view, 8>& glyphs = utf8 ? kBlocks : kLetters;
  std::string text;
  for (const std::size_t count : counts) {
    if (count == 0) {
      text += ' ';
      continue;
    }
    // Few samples: one glyph a sample. Many: by their share of the fullest column.
    const std::size_t height = most <= 8 ? count : (count * 8 + most - 1) / most;
    text += glyphs[height - 1];
  }
  return text;
}

std::string axis_value(double value, const std::string& unit) {
  if (unit != "s") return fmt::format("{:.5g}{}{}", value, unit.empty() ? "" : " ", unit);
  if (value >= 1) return fmt::format("{:.5g} s", value);
  return fmt::format("{:.4g} ms", value * 1e3);
}

std::string axis_line(const StripAxis& axis, const std::string& unit) {
  const std::string low = axis_value(axis.low, unit);
  const std::string high = axis_value(axis.high, unit);
  if (!(axis.high > axis.low)) return std::string(kStripWidth / 2, ' ') + low;
  const std::size_t used = low.size() + high.size();
  return low + std::string(used < kStripWidth ? kStripWidth - used : 1, ' ') + high;
}

}  // namespace

std::string ab_picture(const model::AbReport& report, const AbStyle& style) {
  const std::vector<double> a = report.values(model::AbSide::a);
  const std::vector<double> b = report.values(model::AbSide::b);
  std::vector<double> all = a;
  all.insert(all.end(), b.begin(), b.end());
  if (all.empty()) return "";
  const StripAxis axis = axis_of(all);
  const Counts of_a = counts_on(axis, a);
  const Counts of_b = counts_on(axis, b);
  const std::size_t most = std::max(*std::ranges::max_element(of_a), *std::ranges::max_element(of_b));
  const std::string_view edge = style.utf8 ? "│" : "|";
  std::string text;
  for (const auto& [name, counts] : {std::pair{"A", &of_a}, std::pair{"B", &of_b}})
    text += fmt::format("{} {}{}{}\n", name, edge, strip(*counts, most, style.utf8), edge);
  return text + "   " + axis_line(axis, report.unit) + "\n";
}

}  // namespace kilter::report
