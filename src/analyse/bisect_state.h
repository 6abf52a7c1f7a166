#pragma once

#include "base/result.h"

#include <cstddef>
#include <span>
#include <vector>

// What a bisect knows. Commits are numbered along the first-parent history: 0 is good, `last` is bad, and the
// culprit c, the first commit that behaves like the bad end, is one of 1..last. Metrics that are numbers and
// outcomes (1 failed, 0 did not) are kept in the same form.
namespace kilter::analyse {

// The runs of one commit, by Welford's recurrence.
struct CommitRuns {
  std::size_t commit = 0;
  double n = 0;
  double mean = 0;
  double squares = 0;  // sum of squared deviations from the mean
};

struct BisectState {
  std::size_t last = 0;
  std::vector<double> prior;       // [i]: P(c <= i) before any run; [0] is 0, [last] is 1
  std::vector<CommitRuns> tested;  // ascending by commit, each with at least one run
  std::vector<bool> skipped;       // does not build, boot or run: never asked for again, still may be c
  std::vector<bool> cached;        // its build is at hand
  std::vector<double> distance;    // [i]: files changed from 0 to i, ascending; empty: every commit counts 1
};

// `weights` are those of the commits 1..last: 0 says that a commit cannot be the culprit, 10 beside 1 that it
// is ten times as likely. Fails on an empty range, on no weight above 0, and on what is no finite weight.
[[nodiscard]] Result<BisectState> make_bisect(std::span<const double> weights);
// All commits alike.
[[nodiscard]] Result<BisectState> make_bisect(std::size_t last);

// One more run. Fails, and changes nothing, when the value is no finite number or there is no such commit.
[[nodiscard]] Status add_run(BisectState& state, std::size_t commit, double value);

// The runs of a commit, with n = 0 when it has none.
[[nodiscard]] CommitRuns runs_of(const BisectState& state, std::size_t commit);
[[nodiscard]] double total_runs(const BisectState& state);

// The part first..last of a range as a range of its own, numbered from 0, with its runs, skips and builds.
// Its prior is that of the part; alike, when the part had none.
[[nodiscard]] BisectState part_of(const BisectState& state, std::size_t first, std::size_t last);

}  // namespace kilter::analyse
