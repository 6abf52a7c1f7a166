#include "report/box.h"

#include "base/text.h"
#include "report/rfc5322.h"

#include <fmt/core.h>

#include <algorithm>

namespace kilter::report {
namespace {

constexpr std::size_t kLabelWidth = 18;  // "| testcase: change |"

struct Row {
  std::string label;
  std::string text;
};

std::vector<Row> rows_of(const BoxedTest& test) {
  std::vector<Row> rows = {{"testcase: change", header_text(test.testcase + ": " + test.change)}};
  if (!test.machine.empty()) rows.push_back({"test machine", header_text(test.machine)});
  std::string label = "test parameters";
  for (const auto& [key, value] : test.parameters) {
    rows.push_back({label, header_text(key + "=" + value)});
    label.clear();
  }
  return rows;
}

}  // namespace

std::string box_frame(std::span<const BoxedTest> tests) {
  if (tests.empty()) return "";
  std::size_t widest = 0;
  for (const BoxedTest& test : tests)
    for (const Row& row : rows_of(test)) widest = std::max(widest, display_width(row.text));
  const std::string edge =
      fmt::format("+{}+{}+\n", std::string(kLabelWidth, '-'), std::string(widest + 2, '-'));
  std::string frame = edge;
  for (const BoxedTest& test : tests) {
    for (const Row& row : rows_of(test))
      frame += fmt::format("| {:<16} | {}{} |\n", row.label, row.text,
                           std::string(widest - display_width(row.text), ' '));
    frame += edge;
  }
  return frame;
}

}  // namespace kilter::report
