#include "verdicts/part.h"

#include <array>

namespace kilter::verdicts {

std::span<const Part> parts() {
  static constexpr std::array kParts = {
      Part{"null", "false positives of each rule on every kind of noise", run_null_rates},
      Part{"power", "changes found by each rule on every kind of noise", run_power},
      Part{"report", "reports of 5,000 metrics, 4 % of them changed: false discoveries and power",
           run_report},
      Part{"looks", "sequential runs: false positives, runs until decided", run_looks},
      Part{"drift", "a machine that drifts, in sequential and in interleaved order", run_drift},
      Part{"bisect", "searches for the culprit among 1,024 commits: exact answers and their cost",
           run_bisect},
      Part{"changes", "change points of histories: labelled series, noise, steps, time", run_changes},
  };
  return kParts;
}

}  // namespace kilter::verdicts
