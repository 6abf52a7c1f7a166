#include "base/text.h"

#include "base/utf8.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace kilter {
namespace {

constexpr std::string_view kBlanks = " \t\r\n\v\f";
constexpr std::size_t kLongestMistake = 200;

bool is_shell_safe(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || std::string_view("_@%+=:,./-").contains(c);
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
    }
  }
  return row[b.size()];
}

bool is_ascii(char c) {
  return static_cast<unsigned char>(c) < 0x80;
}

bool is_control(std::string_view character) {
  const char c = character[0];
  return character.size() == 1 && ((c >= 0 && c < 0x20 && c != '\t' && c != '\n') || c == 0x7f);
}

// U+202A..U+202E and U+2066..U+2069.
bool turns_direction(std::string_view character) {
  return (character >= "\u202A" && character <= "\u202E") || (character >= "\u2066" && character <= "\u2069");
}

// How much of a text that is longer than `most` bytes is shown.
struct MostShown {
  std::size_t most = 0;
  std::size_t head = 0;
  std::size_t tail = 0;
};
constexpr MostShown kOfWord = {.most = 300, .head = 100, .tail = 60};
constexpr MostShown kOfLine = {.most = 1000, .head = 700, .tail = 200};

std::string without_middle(std::string_view text, const MostShown& shown) {
  if (text.size() <= shown.most) return std::string(text);
  std::size_t head = shown.head;
  while (head > 0 && is_utf8_continuation(text[head])) --head;
  std::size_t tail = text.size() - shown.tail;
  while (tail < text.size() && is_utf8_continuation(text[tail])) ++tail;
  return std::string(text.substr(0, head)) + "..." + std::string(text.substr(tail));
}

std::string short_line(std::string_view line) {
  if (line.size() <= kOfWord.most) return std::string(line);
  std::string text;
  for (const std::string_view word : split(line, ' ')) {
    if (word.data() != line.data()) text += ' ';
    text += without_middle(word, kOfWord);
  }
  return without_middle(text, kOfLine);
}

}  // namespace

std::string_view trim(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  for (std::size_t at = text.find(separator); at != std::string_view::npos;
       at = text.find(separator, begin)) {
    parts.push_back(text.substr(begin, at - begin));
    begin = at + 1;
  }
  parts.push_back(text.substr(begin));
  return parts;
}

std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> parts;
  std::size_t begin = text.find_first_not_of(kBlanks);
  while (begin != std::string_view::npos) {
    const std::size_t end = std::min(text.find_first_of(kBlanks, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = text.find_first_not_of(kBlanks, end);
  }
  return parts;
}

std::vector<std::string_view> lines(std::string_view text) {
  std::vector<std::string_view> parts = split(text, '\n');
  if (parts.back().empty()) parts.pop_back();
  for (std::string_view& line : parts)
    if (line.ends_with('\r')) line.remove_suffix(1);
  return parts;
}

std::string last_lines(std::string_view text, std::size_t count) {
  const std::vector<std::string_view> all = lines(trim(text));
  std::string tail;
  for (std::size_t i = all.size() - std::min(count, all.size()); i < all.size(); ++i)
    tail += (tail.empty() ? "" : " | ") + std::string(all[i]);
  return printable(tail);
}

std::string join(std::span<const std::string> parts, std::string_view separator) {
  std::string text;
  for (const std::string& part : parts) {
    if (&part != parts.data()) text += separator;
    text += part;
  }
  return text;
}

std::string replace_all(std::string text, std::string_view from, std::string_view to) {
  if (from.empty()) return text;
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

std::string_view leading_digits(std::string_view text) {
  return text.substr(0, std::min(text.find_first_not_of("0123456789"), text.size()));
}

bool is_full_sha(std::string_view text) {
  constexpr std::size_t kDigits = 40;
  return text.size() == kDigits && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::optional<std::int64_t> parse_int(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<double> parse_double(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::string shell_quote(std::string_view text) {
  if (!text.empty() && std::ranges::all_of(text, is_shell_safe)) return std::string(text);
  return "'" + replace_all(std::string(text), "'", "'\\''") + "'";
}

std::string shell_join(std::span<const std::string> argv) {
  std::string text;
  for (const std::string& word : argv) {
    if (!text.empty()) text += ' ';
    text += shell_quote(word);
  }
  return text;
}

std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates) {
  std::optional<std::string> best;
  if (word.size() > kLongestMistake) return best;
  std::size_t best_distance = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance && distance < word.size()) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> candidates) {
  const std::optional<std::string> found = nearest(word, candidates);
  return found ? "did you mean '" + *found + "'?" : "";
}

std::string printable(std::string_view text) {
  std::string clean;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = std::max<std::size_t>(utf8_length(text, at), 1);
    const std::string_view character = text.substr(at, length);
    if (!is_control(character) && !turns_direction(character)) clean += character;
    at += length;
  }
  return std::ranges::all_of(clean, is_ascii) ? clean : valid_utf8(clean);
}

std::string message_text(std::string_view text) {
  const std::string clean = printable(text);
  std::string message;
  for (const std::string_view line : split(clean, '\n')) {
    if (line.data() != clean.data()) message += '\n';
    message += short_line(line);
  }
  return message;
}

std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return !is_utf8_continuation(c); }));
}

}  // namespace kilter
