#include "base/text.h"
#include "model/number.h"
#include "monitor/all.h"

#include <cctype>

// The text of GNU time -v.
namespace kilter::monitor {
namespace {

// "Maximum resident set size (kbytes)" -> "maximum_resident_set_size".
std::string key_of(std::string_view label) {
  std::string key;
  for (std::size_t i = 0; i < label.size(); ++i) {
    if (label[i] == ' ' && label.substr(i + 1).starts_with('(')) {
      const std::size_t close = label.find(')', i);
      if (close == std::string_view::npos) break;
      i = close;
      continue;
    }
    key += label[i] == ' ' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(label[i])));
  }
  return key;
}

// "1:02:08.08" -> 3728.08 seconds.
std::string clock_seconds(std::string_view clock) {
  double seconds = 0;
  for (const std::string_view part : split(clock, ':'))
    seconds = seconds * 60 + parse_double(part).value_or(0);
  return model::Number(seconds).json();
}

}  // namespace

void parse_time(std::string_view raw, std::string& out) {
  for (const std::string_view line : lines(raw)) {
    const std::string_view text = trim(line);
    if (text.starts_with("Command being timed")) continue;
    // The wall clock's label holds ": " inside its parentheses, its value none.
    const std::size_t at = text.rfind(": ");
    if (at == std::string_view::npos) continue;
    const std::string key = key_of(text.substr(0, at));
    std::string value(text.substr(at + 2));
    if (key == "elapsed_time") value = clock_seconds(value);
    if (value.ends_with('%')) value.pop_back();
    if (value == "?") value = "0";
    append_line(key, value, out);
  }
}

}  // namespace kilter::monitor
