#include "report/clean.h"

#include "base/text.h"

#include <algorithm>

namespace kilter::report {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
constexpr std::string_view kCut = "...";

bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}

std::size_t sequence_length(char lead) {
  const unsigned char byte = static_cast<unsigned char>(lead);
  if (byte < 0x80) return 1;
  if (byte >= 0xc2 && byte < 0xe0) return 2;
  if (byte >= 0xe0 && byte < 0xf0) return 3;
  return byte >= 0xf0 && byte < 0xf5 ? 4 : 0;
}

// Bytes of the UTF-8 sequence at `at`; 0 when there is none. U+0080..U+009F are terminal controls: none
// either.
std::size_t sequence_at(std::string_view text, std::size_t at) {
  const std::size_t length = sequence_length(text[at]);
  if (length == 0 || at + length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if (!is_continuation(text[at + i])) return 0;
  const bool control = text[at] == '\xC2' && static_cast<unsigned char>(text[at + 1]) < 0xa0;
  return control ? 0 : length;
}

bool is_plain(char c) {
  return c >= 0x20 && c < 0x7f;
}

std::string valid_utf8(std::string_view text) {
  std::string valid;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = sequence_at(text, at);
    valid += length == 0 ? kReplacement : text.substr(at, length);
    at += std::max<std::size_t>(length, 1);
  }
  return valid;
}

}  // namespace

std::string one_line(std::string_view text, std::size_t limit) {
  if (text.size() <= limit && std::ranges::all_of(text, is_plain)) return std::string(text);
  std::string clean = valid_utf8(printable(text.substr(0, limit + 4)));
  std::ranges::replace_if(clean, [](char c) { return c == '\n' || c == '\t'; }, ' ');
  if (clean.size() <= limit && text.size() <= limit) return clean;
  std::size_t end = std::min(clean.size(), limit - std::min(limit, kCut.size()));
  while (end > 0 && end < clean.size() && is_continuation(clean[end])) --end;
  return clean.substr(0, end) + std::string(kCut);
}

}  // namespace kilter::report
