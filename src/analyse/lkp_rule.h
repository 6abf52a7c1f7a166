#pragma once

#include "analyse/key_lists.h"
#include "model/number.h"

#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// LKP's rule for "this metric changed": each side's median lies outside the other side's range, and the
// change is not small. Pure. Throughout, `a` is the candidate (head) and `b` the base.
namespace kilter::analyse {

// Fewer runs on both sides than this are no comparison.
inline constexpr std::size_t kEnoughRuns = 3;

struct LkpRuleOptions {
  // A profile row counts when either median is above this, if it is of the same class (integer or float) as
  // the median of `a`; else the ordinary rule decides. nullopt: always the ordinary rule, small-change filter
  // included.
  std::optional<model::Number> perf_profile_threshold = model::Number(5);
  bool more = false;                    // hidden keys too
  bool whole = false;                   // even with fewer than 3 runs on both sides
  bool perf_only = false;               // performance metrics only
  bool kpi_only = false;                // benchmarks' own numbers only
  bool perf_test_vm = false;            // memory metrics of vm-* boxes count
  bool ignore_incomplete_runs = false;  // no failure rows from incomplete runs
  std::optional<double> variance;       // compare spreads instead (needs 10 runs a side)
  std::optional<double> distance;       // ranges must be this far apart
  std::optional<double> gap;            // the same against the difference of the medians
  double gap_distance = 2;
  std::optional<std::size_t> resize;          // only the first N samples of `a`
  std::set<std::string, std::less<>> forced;  // keys that no skip applies to
  Benchmarks benchmarks;                      // beside the listed ones
  bool as_lkp = false;                        // thresholds of <test>.time.* do not hold for time.*
};

// A metric's key with what is asked of it again and again.
struct LkpKey {
  LkpKey(std::string_view text);
  std::string_view text;
  bool function = false;  // fail:runs
  bool profile = false;   // perf-profile.*
};

// One metric on one side.
struct LkpSide {
  std::span<const model::Number> samples;  // one per run that counts
  bool present = true;                     // the matrix has the key
};

// What the rule must know of the pair beside the samples. `base_has` and `base_has_program` ask the base
// matrix.
struct LkpPair {
  std::string tbox_group;
  std::function<bool(std::string_view key)> base_has;
  std::function<bool(std::string_view program)> base_has_program;
};

// A side after sorting and trimming: margins dropped, "median" the upper one.
struct LkpSummary {
  std::size_t n = 0;  // samples before trimming
  model::Number median;
  double min = 0;
  double max = 0;
  bool integers = false;  // every sample is an integer
};
// `most_margin`: at most that many samples are dropped at each end. nullopt when no sample is left.
[[nodiscard]] std::optional<LkpSummary> lkp_summary(std::span<const model::Number> samples,
                                                    std::size_t most_margin);

// What LKP records of a change.
struct LkpChange {
  LkpSummary a;
  LkpSummary b;
  double ratio = 0;  // larger median by smaller, at most 5
  double delta = 0;  // difference of the medians
  double x = 0;      // spread of a (of b, where a has 2 samples or fewer and b spreads more)
  double y = 0;      // gap between the ranges, 0 when they overlap
  double z = 0;      // spread of b
  double max = 0;    // largest sample
  // "[ 1          - 2          ] -- [ ... ]", a then b.
  [[nodiscard]] std::string interval() const;
};

// The steps, each for itself.
[[nodiscard]] bool lkp_considers(const LkpKey& key, const LkpSide& a, const LkpSide& b, const LkpPair& pair,
                                 const LkpRuleOptions& options);
[[nodiscard]] bool lkp_differs(const LkpKey& key, const LkpChange& change, const LkpRuleOptions& options);
[[nodiscard]] bool lkp_is_large(const LkpKey& key, const LkpChange& change, const LkpRuleOptions& options);

// Neither hidden nor left out by an option.
[[nodiscard]] bool lkp_is_wanted(std::string_view key, const LkpRuleOptions& options);
// Samples up to `max` that differ by `delta` are large enough to matter for a metric like this.
[[nodiscard]] bool lkp_is_reasonable(std::string_view key, double delta, double max,
                                     const LkpRuleOptions& options);

// All of them: the change, or nullopt when the rule says "unchanged" or "not looked at".
[[nodiscard]] std::optional<LkpChange> lkp_change(const LkpKey& key, const LkpSide& a, const LkpSide& b,
                                                  const LkpPair& pair, const LkpRuleOptions& options);

}  // namespace kilter::analyse
