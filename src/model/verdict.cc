#include "model/verdict.h"

#include <fmt/core.h>

#include <cmath>

namespace kilter::model {

std::string_view answer_name(Answer answer) {
  switch (answer) {
    case Answer::changed:
      return "changed";
    case Answer::same:
      return "same";
    case Answer::unknown:
      break;
  }
  return "unknown";
}

std::string_view answer_text(Answer answer) {
  return answer == Answer::unknown ? "not enough data" : answer_name(answer);
}

std::string percent_figure(double effect) {
  constexpr double kHundredths = 0.095;  // below, one decimal says too little
  constexpr double kLeast = 0.005;
  constexpr double kWhole = 99.95;
  constexpr double kLarge = 1e5;
  const double percent = 100 * std::abs(effect);
  if (!std::isfinite(percent)) return "inf";
  if (percent >= kLarge) return fmt::format("{:.2g}", percent);
  if (percent >= kWhole) return fmt::format("{:.0f}", percent);
  return percent < kHundredths && percent > kLeast ? fmt::format("{:.2f}", percent)
                                                   : fmt::format("{:.1f}", percent);
}

std::string signed_percent(double effect) {
  return (std::signbit(effect) ? "-" : "+") + percent_figure(effect);
}

std::string interval_percent(const RowVerdict& verdict) {
  return signed_percent(verdict.low) + ".." + signed_percent(verdict.high);
}

std::string evidence_count(const RowVerdict& verdict) {
  return fmt::format("{}+{}", verdict.base_n, verdict.n);
}

}  // namespace kilter::model
