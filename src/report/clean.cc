#include "report/clean.h"

#include "base/text.h"
#include "base/utf8.h"

#include <algorithm>

namespace kilter::report {
namespace {

constexpr std::string_view kCut = "...";

bool is_plain(char c) {
  return c >= 0x20 && c < 0x7f;
}

}  // namespace

std::string one_line(std::string_view text, std::size_t limit) {
  if (text.size() <= limit && std::ranges::all_of(text, is_plain)) return std::string(text);
  std::string clean = printable(text.substr(0, limit + 4));
  std::ranges::replace_if(clean, [](char c) { return c == '\n' || c == '\t'; }, ' ');
  if (clean.size() <= limit && text.size() <= limit) return clean;
  std::size_t end = std::min(clean.size(), limit - std::min(limit, kCut.size()));
  while (end > 0 && end < clean.size() && is_utf8_continuation(clean[end])) --end;
  return clean.substr(0, end) + std::string(kCut);
}

}  // namespace kilter::report
