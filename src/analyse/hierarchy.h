#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

// What one piece of evidence is. Ten thousand iterations of one process are one process; all runs of one
// build share its code layout, all of one boot its memory layout. Pure.
namespace kilter::analyse {

struct LabelledSample {
  double value = 0;  // NaN: the run lacks the metric
  std::string_view build;
  std::string_view boot;
  std::string_view process;  // of the run; all iterations of one process carry the same
};

enum class EvidenceLevel { build, boot, process, iteration };    // highest first
[[nodiscard]] std::string_view level_name(EvidenceLevel level);  // "build"

struct Evidence {
  EvidenceLevel level = EvidenceLevel::iteration;
  std::vector<double> a;  // one per member of that level, in the order of their first samples
  std::vector<double> b;
  // A difference between the sides may be the luck of one build's (boot's) layout: a side has only one, and
  // the other side has others.
  bool one_build = false;
  bool one_boot = false;
};

// The highest level with at least two members on each side. A member's value is the mean of the means below
// it. Values that are no numbers are left out; a label of "" is one like any other.
[[nodiscard]] Evidence evidence(std::span<const LabelledSample> a, std::span<const LabelledSample> b);

}  // namespace kilter::analyse
