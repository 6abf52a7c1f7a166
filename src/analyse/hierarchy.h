#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

// What one piece of evidence is. Ten thousand iterations of one process are one process; all runs of one
// build share its code layout, all of one boot its memory layout. Pure.
namespace kilter::analyse {

struct RunLabel {
  std::string_view build;
  std::string_view boot;
  std::string_view process;  // of the run; all iterations of one process carry the same
};

struct LabelledSample {
  double value = 0;  // NaN: the run lacks the metric
  std::string_view build;
  std::string_view boot;
  std::string_view process;
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

// One side's runs, sorted out once for all its metrics.
class RunTree {
 public:
  explicit RunTree(std::span<const RunLabel> runs);

  // Of every member of `level` the mean of the means below it; NaN where it has no value. `values`: one a
  // run, NaN where it has none.
  [[nodiscard]] std::vector<double> reduced(std::span<const double> values, EvidenceLevel level) const;
  [[nodiscard]] std::size_t members(EvidenceLevel level) const;

 private:
  // Of one level: which members of the next lower one each member has.
  using Children = std::vector<std::vector<std::uint32_t>>;
  std::size_t runs_;
  std::array<Children, 3> levels_;  // by EvidenceLevel, iterations excepted
};

// The same as evidence() for many metrics of the same runs, but that a member without a value is NaN: value i
// is of the same member in all metrics that share a level.
class EvidenceLayout {
 public:
  EvidenceLayout(std::span<const RunLabel> a, std::span<const RunLabel> b);

  // One value a run, NaN where it has none.
  [[nodiscard]] Evidence evidence(std::span<const double> a, std::span<const double> b) const;
  // Where every run has a value.
  [[nodiscard]] EvidenceLevel level() const { return level_; }

 private:
  struct Side {
    Side(std::span<const RunLabel> runs) : labels(runs.begin(), runs.end()), tree(runs) {}
    std::vector<RunLabel> labels;
    RunTree tree;
  };
  Side a_;
  Side b_;
  EvidenceLevel level_;
  bool one_build_;
  bool one_boot_;
};

}  // namespace kilter::analyse
