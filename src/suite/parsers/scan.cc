#include "suite/parsers/scan.h"

#include "base/text.h"
#include "model/number.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace kilter::suite {

std::optional<std::string_view> after(std::string_view text, std::string_view left) {
  const std::size_t at = text.find(left);
  if (at == std::string_view::npos) return std::nullopt;
  return text.substr(at + left.size());
}

std::optional<std::string_view> between(std::string_view text, std::string_view left,
                                        std::string_view right) {
  const std::optional<std::string_view> rest = after(text, left);
  if (!rest) return std::nullopt;
  const std::size_t end = rest->find(right);
  if (end == std::string_view::npos) return std::nullopt;
  return rest->substr(0, end);
}

std::optional<std::string_view> word_after(std::string_view text, std::string_view left) {
  const std::optional<std::string_view> rest = after(text, left);
  if (!rest) return std::nullopt;
  const std::vector<std::string_view> found = words(rest->substr(0, 200));
  if (found.empty()) return std::nullopt;
  return found.front();
}

std::optional<std::size_t> index_of(std::span<const std::string_view> words, std::string_view word) {
  const auto it = std::ranges::find(words, word);
  if (it == words.end()) return std::nullopt;
  return static_cast<std::size_t>(it - words.begin());
}

std::optional<double> leading_number(std::string_view text) {
  double value = 0;
  const std::from_chars_result read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc{} || !std::isfinite(value)) return std::nullopt;
  return value;
}

namespace {

constexpr std::size_t kLongestKeyPart = 200;

bool is_blank_or_control(char c) {
  return static_cast<unsigned char>(c) <= 0x20 || static_cast<unsigned char>(c) == 0x7f;
}

}  // namespace

std::string key_part(std::string_view text) {
  std::string key;
  for (const char c : text) {
    if (key.size() >= kLongestKeyPart) break;
    if (!is_blank_or_control(c))
      key += c;
    else if (!key.empty() && key.back() != '_')
      key += '_';
  }
  while (key.ends_with('_')) key.pop_back();
  return key;
}

std::string squeeze(std::string_view text, std::string_view set) {
  std::string key;
  for (const char c : text) {
    if (!set.contains(c))
      key += c;
    else if (!key.empty() && key.back() != '_')
      key += '_';
  }
  while (key.ends_with('_')) key.pop_back();
  return key;
}

std::string number_text(double value) {
  const std::string text = model::Number(value).json();
  return text.ends_with(".0") ? text.substr(0, text.size() - 2) : text;
}

double sum(std::span<const double> values) {
  double total = 0;
  for (const double value : values) total += value;
  return total;
}

double mean(std::span<const double> values) {
  return values.empty() ? 0 : sum(values) / static_cast<double>(values.size());
}

double harmonic_mean(std::span<const double> values) {
  double inverse = 0;
  for (const double value : values) {
    if (value == 0) return 0;
    inverse += 1 / value;
  }
  return inverse == 0 ? 0 : static_cast<double>(values.size()) / inverse;
}

double population_stddev(std::span<const double> values) {
  if (values.empty()) return 0;
  const double middle = mean(values);
  double squares = 0;
  for (const double value : values) squares += (value - middle) * (value - middle);
  return std::sqrt(squares / static_cast<double>(values.size()));
}

double rounded(double value, int digits) {
  const double scale = std::pow(10.0, digits);
  if (std::abs(value) >= 1e15 / scale) return value;
  double whole = std::round(value * scale);
  // The product may have lost the half that the value has.
  if (value > 0 && (whole + 0.5) / scale <= value) whole += 1;
  if (value < 0 && (whole - 0.5) / scale >= value) whole -= 1;
  return whole / scale;
}

double scaled(double value, double factor) {
  if (factor == 1) return value;
  return parse_double(fmt::format("{:.12g}", value * factor)).value_or(0);
}

std::int64_t truncated(double value) {
  constexpr double kLimit = 9.2e18;
  if (std::isnan(value)) return 0;
  return static_cast<std::int64_t>(std::clamp(value, -kLimit, kLimit));
}

}  // namespace kilter::suite
