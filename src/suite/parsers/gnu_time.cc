#include "base/text.h"
#include "suite/parsers/parsers.h"
#include "suite/parsers/scan.h"

#include <algorithm>
#include <cctype>

// GNU time -v: "\tMaximum resident set size (kbytes): 24620" -> "maximum_resident_set_size: 24620".
namespace kilter::suite {
namespace {

// "h:mm:ss" or "m:ss.cc" -> seconds
std::optional<double> clock_seconds(std::string_view text) {
  double seconds = 0;
  for (const std::string_view part : split(text, ':')) {
    const std::optional<double> number = parse_double(part);
    if (!number) return std::nullopt;
    seconds = seconds * 60 + *number;
  }
  return seconds;
}

// Without "(...)" groups, blanks as '_', in lower case.
std::string time_key(std::string_view name) {
  std::string key;
  int depth = 0;
  for (const char c : trim(name)) {
    if (c == '(') ++depth;
    if (depth == 0) key += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (c == ')' && depth > 0) --depth;
  }
  return squeeze(key, " \t");
}

void read_time_line(std::string_view line, ParsedOutput& parsed) {
  if (!line.starts_with('\t') && !line.starts_with(' ')) return;
  const std::size_t mark = line.rfind(": ");
  if (mark == std::string_view::npos) return;
  const std::string_view value = trim(line.substr(mark + 2));
  if (line.contains("Elapsed (wall clock)")) {
    if (const std::optional<double> seconds = clock_seconds(value))
      parsed.add_float("elapsed_time", rounded(*seconds, 2));
    return;
  }
  const std::string key = time_key(line.substr(0, mark));
  if (value == "?" || value == "?%")
    parsed.add(key, "0");
  else if (const std::string_view number = value.ends_with('%') ? value.substr(0, value.size() - 1) : value;
           parse_double(number))
    parsed.add(key, std::string(number));
}

}  // namespace

void parse_time(const RawOutput& output, ParsedOutput& parsed) {
  for (const std::string_view line : lines(output.text)) read_time_line(line, parsed);
}

}  // namespace kilter::suite
