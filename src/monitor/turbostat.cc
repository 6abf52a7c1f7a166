#include "base/text.h"
#include "monitor/all.h"

#include <algorithm>

// turbostat: a table with a row a CPU; the row with "-" for its CPU is the sum over all.
namespace kilter::monitor {
namespace {

constexpr std::string_view kPlaces[] = {
    "Package", "Node", "Die", "Core", "CPU", "APIC", "X2APIC", "usec", "Time_Of_Day_Seconds"};

bool is_place(std::string_view column) {
  return std::ranges::find(kPlaces, column) != std::end(kPlaces);
}

}  // namespace

void parse_turbostat(std::string_view raw, std::string& out) {
  std::vector<std::string_view> columns;
  for (const std::string_view line : lines(raw)) {
    const std::vector<std::string_view> fields = words(line);
    if (std::ranges::find(fields, "Avg_MHz") != fields.end()) {
      columns = fields;
    } else if (!columns.empty() && fields.size() > 1 && std::ranges::find(fields, "-") != fields.end()) {
      for (std::size_t i = 0; i < std::min(fields.size(), columns.size()); ++i)
        if (!is_place(columns[i]) && parse_double(fields[i])) append_line(columns[i], fields[i], out);
    }
  }
}

}  // namespace kilter::monitor
