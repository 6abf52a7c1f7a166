#include "report/ab_text.h"

#include "base/quantity.h"
#include "base/text.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace kilter::report {
namespace {

using model::AbReport;
using model::AbSample;
using model::AbSide;

constexpr double kAbInterval = 99;  // percent

// Two digits that count: "0.79", "12", "1240".
std::string percent_digits(double percent) {
  const double size = std::abs(percent);
  if (!std::isfinite(percent)) return percent < 0 ? "-inf" : "inf";
  if (size >= 1e6) return fmt::format("{:.2g}", percent);
  const int decimals = size >= 9.95 ? 0 : size >= 0.95 ? 1 : size >= 0.0095 ? 2 : 3;
  std::string text = fmt::format("{:.{}f}", percent, decimals);
  if (text.contains('.')) text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text == "-0" ? "0" : text;
}

// Of shares: "0.79 %".
std::string percent_text(double share) {
  return percent_digits(100 * share) + " %";
}

// What B is when its metric is higher or lower.
std::string_view comparison_word(const AbReport& report, bool higher) {
  if (report.is_time) return higher ? "slower" : "faster";
  return higher ? "higher" : "lower";
}

std::string judgement_word(const AbReport& report) {
  if (report.is_time || report.better == model::Direction::unknown || report.effect == 0) return "";
  const bool better = (report.effect > 0) == (report.better == model::Direction::higher_better);
  return better ? ", which is better" : ", which is worse";
}

// "0.79 % faster"
std::string ab_effect_text(const AbReport& report) {
  if (report.effect == 0) return "no different";
  return percent_text(std::abs(report.effect)) + " " +
         std::string(comparison_word(report, report.effect > 0));
}

// In the direction of the effect: "0.4..1.2 %", "-0.1..1.2 %".
std::string ab_interval_text(const AbReport& report) {
  const bool turned = report.effect < 0;
  const double low = turned ? -report.high : report.low;
  const double high = turned ? -report.low : report.high;
  return fmt::format("{}..{} %", percent_digits(100 * low), percent_digits(100 * high));
}

std::string counts_text(const AbReport& report) {
  return fmt::format("n = {}+{}", report.n[0], report.n[1]);
}

std::string ab_resolution_text(const AbReport& report) {
  if (!std::isfinite(report.resolution)) return "";
  return fmt::format("; this could have shown {}", percent_text(report.resolution));
}

std::string figures_text(const AbReport& report) {
  return fmt::format("({:.0f} % interval {}), {}{}", kAbInterval, ab_interval_text(report),
                     counts_text(report), ab_resolution_text(report));
}

std::string nothing_text(const AbReport& report) {
  if (report.end == AbReport::End::budget)
    return fmt::format("not enough data: the budget of {} ended before a sample of each was taken",
                       format_duration(report.budget));
  return fmt::format("not enough data: {}", counts_text(report));
}

// Two digits, rounded up.
std::size_t round_count(std::size_t count) {
  std::size_t unit = 1;
  while (count / unit >= 100) unit *= 10;
  return (count + unit - 1) / unit * unit;
}

std::string unknown_text(const AbReport& report) {
  const std::string limit = report.end == AbReport::End::budget
                                ? fmt::format(" within the budget of {}", format_duration(report.budget))
                                : "";
  if (!std::isfinite(report.high))
    return fmt::format("not enough data{}: B is {} (nothing is known of the scatter), {}", limit,
                       ab_effect_text(report), counts_text(report));
  std::string text =
      fmt::format("not enough data{}: B is {} {}", limit, ab_effect_text(report), figures_text(report));
  if (report.more > 0)
    text += fmt::format("; about {} more samples of each would show {}", round_count(report.more),
                        percent_text(report.delta));
  return text;
}

// --- The table below the picture

struct AbColumn {
  std::string_view heading;
  double AbSample::* member;
  std::string (*form)(double);
};

std::string seconds_text(double seconds) {
  if (seconds >= 100) return fmt::format("{:.1f} s", seconds);
  if (seconds >= 1) return fmt::format("{:.3f} s", seconds);
  if (seconds >= 1e-3) return fmt::format("{:.2f} ms", seconds * 1e3);
  return fmt::format("{:.0f} us", seconds * 1e6);
}

std::string kilobytes_text(double kilobytes) {
  return kilobytes > 0 ? format_bytes(kilobytes * 1024) : "small";
}

std::string ab_count_text(double count) {
  return fmt::format("{:.4g}", count);
}

constexpr std::array kAbColumns = {
    AbColumn{"time", &AbSample::wall, seconds_text},
    AbColumn{"user", &AbSample::user, seconds_text},
    AbColumn{"system", &AbSample::system, seconds_text},
    AbColumn{"max RSS", &AbSample::max_rss_kb, kilobytes_text},
    AbColumn{"switches", &AbSample::switches, ab_count_text},
};

double median_of_side(const AbReport& report, AbSide side, double AbSample::* member) {
  std::vector<double> values;
  for (const AbSample& sample : report.samples)
    if (sample.side == side) values.push_back(sample.*member);
  if (values.empty()) return 0;
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

std::string execution_table(const AbReport& report) {
  constexpr int kWidth = 13;
  std::string text = "  ";
  for (const AbColumn& column : kAbColumns) text += fmt::format("{:>{}}", column.heading, kWidth);
  for (const AbSide side : {AbSide::a, AbSide::b}) {
    text += fmt::format("\n{} ", model::side_name(side));
    for (const AbColumn& column : kAbColumns)
      text += fmt::format("{:>{}}", column.form(median_of_side(report, side, column.member)), kWidth);
  }
  return text + "   (medians, per execution)\n";
}

std::string shortened(const std::string& text) {
  constexpr std::size_t kLongest = 70;
  std::string shown = replace_all(printable(text), "\n", " ");
  if (display_width(shown) <= kLongest) return shown;
  return printable(shown.substr(0, kLongest - 3)) + "...";
}

std::string coloured(const std::string& text, const AbReport& report, const AbStyle& style) {
  if (!style.colour) return text;
  const bool judged = report.significant && report.better != model::Direction::unknown;
  const bool better = (report.effect > 0) == (report.better == model::Direction::higher_better);
  return fmt::format("\x1b[1{}m{}\x1b[0m", judged ? (better ? ";32" : ";31") : "", text);
}

}  // namespace

std::string ab_sentence(const AbReport& report) {
  if (!report.tested) return nothing_text(report);
  if (report.answer == AbReport::Answer::same) {
    const std::string small = report.effect == 0 ? "no difference" : "B is " + ab_effect_text(report);
    return fmt::format("A and B are the same within {} ({}, {:.0f} % interval {}), {}{}",
                       percent_text(report.delta), small, kAbInterval, ab_interval_text(report),
                       counts_text(report), ab_resolution_text(report));
  }
  if (report.answer == AbReport::Answer::changed || report.significant)
    return fmt::format("B is {}{} {}", ab_effect_text(report), judgement_word(report), figures_text(report));
  return unknown_text(report);
}

std::string ab_state(const AbReport& report) {
  std::string text = counts_text(report);
  if (!report.tested || std::min(report.n[0], report.n[1]) < 2) return text;
  return text + fmt::format(", B {} ({})", ab_effect_text(report), ab_interval_text(report));
}

std::string ab_text(const AbReport& report, const AbStyle& style) {
  std::string text = coloured(ab_sentence(report), report, style) + "\n";
  if (report.samples.empty()) return text;
  text += fmt::format("\nA  {}\nB  {}\n\n", shortened(report.commands[0]), shortened(report.commands[1]));
  if (const std::string picture = ab_picture(report, style); !picture.empty()) text += picture + "\n";
  text += execution_table(report);
  if (!report.notes.empty()) text += "\n";
  for (const std::string& note : report.notes) text += "note: " + printable(note) + "\n";
  return text;
}

}  // namespace kilter::report
