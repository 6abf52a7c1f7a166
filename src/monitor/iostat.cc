#include "base/civil_time.h"
#include "base/text.h"
#include "monitor/all.h"

#include <fmt/core.h>

// iostat of sysstat (-tkx): an ISO stamp, an avg-cpu block, a device block; "Device" with or without a colon.
namespace kilter::monitor {
namespace {

using Words = std::vector<std::string_view>;

std::string without_percent(std::string_view column) {
  std::string name(column);
  const std::size_t at = name.find('%');
  if (at != std::string::npos) name.erase(at, 1);
  return name;
}

// "2026-11-30T10:11:15+0000".
std::optional<std::int64_t> stamp(std::string_view line) {
  if (line.size() < 19 || line[10] != 'T') return std::nullopt;
  const std::optional<std::int64_t> local = utc_seconds(line.substr(0, 10), line.substr(11, 8));
  const std::string_view zone = line.substr(19);
  if (!local || zone.size() < 5 || (zone[0] != '+' && zone[0] != '-')) return local;
  const std::string digits = replace_all(std::string(zone.substr(1)), ":", "");
  const std::int64_t number = parse_int(digits).value_or(0);
  const std::int64_t offset = (number / 100) * 3600 + (number % 100) * 60;
  return zone[0] == '+' ? *local - offset : *local + offset;
}

void row(std::string_view prefix, const Words& columns, std::span<const std::string_view> values,
         std::string& out) {
  for (std::size_t i = 0; i < values.size() && i < columns.size(); ++i)
    append_line(fmt::format("{}.{}", prefix, without_percent(columns[i])), values[i], out);
}

}  // namespace

void parse_iostat(std::string_view raw, std::string& out) {
  Words columns;
  bool of_cpu = false;
  for (const std::string_view line : lines(raw)) {
    const Words fields = words(line);
    if (fields.empty()) {
      columns.clear();
    } else if (const std::optional<std::int64_t> time = stamp(fields[0])) {
      append_line("time", *time, out);
    } else if (fields[0] == "avg-cpu:" || fields[0] == "Device:" || fields[0] == "Device") {
      of_cpu = fields[0] == "avg-cpu:";
      columns.assign(fields.begin() + 1, fields.end());
    } else if (!columns.empty() && of_cpu) {
      row("cpu", columns, fields, out);
    } else if (!columns.empty()) {
      row(fields[0], columns, std::span(fields).subspan(1), out);
    }
  }
}

}  // namespace kilter::monitor
