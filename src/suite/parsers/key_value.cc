#include "base/text.h"
#include "suite/parsers/parsers.h"
#include "suite/parsers/scan.h"

// "key: value" or "key=value" lines whose value is a number, with at most a unit behind it ("12.5 us",
// "39%").
namespace kilter::suite {
namespace {

std::size_t separator(std::string_view line) {
  const std::size_t colon = line.find(": ");
  return colon != std::string_view::npos ? colon : line.find('=');
}

std::optional<std::string_view> number_of(std::string_view text) {
  const std::vector<std::string_view> fields = words(text);
  if (fields.empty() || fields.size() > 2) return std::nullopt;
  std::string_view number = fields[0];
  if (number.ends_with('%')) number.remove_suffix(1);
  if (!parse_double(number)) return std::nullopt;
  return number;
}

// "2026-11-30 13:02:12 ./bench --size=5" and "Iterations: 3": what the runner itself writes into a log.
bool is_runner_line(std::string_view line) {
  const auto digit = [line](std::size_t i) { return line[i] >= '0' && line[i] <= '9'; };
  if (line.size() > 19 && digit(0) && digit(3) && line[4] == '-' && line[7] == '-' && line[10] == ' ' &&
      line[13] == ':' && line[16] == ':' && digit(18))
    return true;
  return line.starts_with("Iterations: ") && parse_int(line.substr(12));
}

}  // namespace

void parse_key_value(const RawOutput& output, ParsedOutput& parsed) {
  for (const std::string_view line : lines(output.text)) {
    if (line.starts_with('#') || is_runner_line(line)) continue;
    const std::size_t mark = separator(line);
    if (mark == std::string_view::npos) continue;
    if (const auto number = number_of(line.substr(mark + 1)))
      parsed.add(key_part(line.substr(0, mark)), std::string(*number));
  }
}

void parse_none(const RawOutput& /*output*/, ParsedOutput& /*parsed*/) {}

}  // namespace kilter::suite
