#include "base/utf8.h"

namespace kilter {
namespace {

std::size_t sequence_length(char lead) {
  const unsigned char byte = static_cast<unsigned char>(lead);
  if (byte < 0x80) return 1;
  if (byte >= 0xc2 && byte < 0xe0) return 2;
  if (byte >= 0xe0 && byte < 0xf0) return 3;
  return byte >= 0xf0 && byte < 0xf5 ? 4 : 0;
}

// Longer spellings of shorter characters, surrogates, and what lies behind U+10FFFF.
bool is_forbidden(unsigned char lead, unsigned char second) {
  return (lead == 0xe0 && second < 0xa0) || (lead == 0xed && second >= 0xa0) ||
         (lead == 0xf0 && second < 0x90) || (lead == 0xf4 && second >= 0x90);
}

bool is_c1_control(std::string_view character) {
  return character.size() == 2 && character[0] == '\xC2' && static_cast<unsigned char>(character[1]) < 0xa0;
}

}  // namespace

bool is_utf8_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}

std::size_t utf8_length(std::string_view text, std::size_t at) {
  const std::size_t length = sequence_length(text[at]);
  if (length <= 1) return length;
  if (at + length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if (!is_utf8_continuation(text[at + i])) return 0;
  const bool bad =
      is_forbidden(static_cast<unsigned char>(text[at]), static_cast<unsigned char>(text[at + 1]));
  return bad ? 0 : length;
}

std::string valid_utf8(std::string_view text) {
  std::string valid;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text, at);
    const bool bad = length == 0 || is_c1_control(text.substr(at, length));
    valid += bad ? "\xEF\xBF\xBD" : text.substr(at, length);
    at += bad ? 1 : length;
  }
  return valid;
}

}  // namespace kilter
