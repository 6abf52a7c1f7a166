#pragma once

#include "robot/bisect.h"

#include <string>
#include <vector>

// What `kilter bisect` says: while it searches, before, and after. Pure.
namespace kilter::robot {

struct BisectLayout {
  std::size_t width = 80;   // columns
  std::size_t height = 24;  // lines, at most
  bool unicode = true;
  bool colour = false;
};

// One line for each commit that was tested, and for those between: its runs as dots on a common scale, the
// probability that it is the culprit, whether it is built; above them how far all is, below what is done now.
[[nodiscard]] std::vector<std::string> bisect_lines(const BisectScene& scene, const BisectLayout& layout);
// The same in one line, for a log.
[[nodiscard]] std::string bisect_line(const BisectScene& scene);

// What a maintainer needs, as one sentence.
[[nodiscard]] std::string finding_text(const BisectReport& report, const BisectFinding& finding);
[[nodiscard]] std::string bisect_text(const BisectReport& report);
[[nodiscard]] std::string bisect_json(const BisectReport& report);

// --dry-run.
[[nodiscard]] std::string estimate_text(const BisectRange& range, const std::vector<Bisect::Estimate>& list);
[[nodiscard]] std::string estimate_json(const BisectRange& range, const std::vector<Bisect::Estimate>& list);

}  // namespace kilter::robot
