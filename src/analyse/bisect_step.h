#pragma once

#include "analyse/bisect_outcome.h"
#include "analyse/bisect_posterior.h"

#include <functional>
#include <variant>
#include <vector>

// The next step of a bisect, as a function of what is known: nothing is remembered between steps, so a bisect
// that was killed goes on where it was. At N = 10,000 a step takes a few milliseconds.
namespace kilter::analyse {

using BisectModel = std::variant<ShiftModel, OutcomeModel>;
[[nodiscard]] BisectPosterior bisect_posterior(const BisectState& state, const BisectModel& model);

// Any one unit: runs, seconds. A build at hand costs nothing.
struct BisectCosts {
  double run = 1;
  double build = 0;
  double distance = 0;  // of a build, for each file changed since the nearest build at hand
};

struct BisectOptions {
  double confidence = .99;
  // Two-sided, for the pair (parent, culprit); a fiftieth of it where the rest of the range changes too.
  double alpha = .01;
  unsigned end_runs = 3;     // of each end, before anything else
  unsigned end_budget = 60;  // of each end, while they do not differ; then the range is refused
  double none_limit = .3;    // builds are begun once P(nothing changes) is below this
  double end_share = .08;    // of all runs, at each end
  double most_runs = 6000;   // then the answer is what is known
  BisectCosts costs;
  std::vector<unsigned> batches = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32};
  // Two-sided p that the runs of two commits have one level; empty: the normal test with the posterior's
  // noise, Fisher's exact test for outcomes.
  std::function<double(std::size_t, std::size_t)> pair_p;
};

// First runs of each end for a shift of about `shift` times the noise of a run: 12 / shift^2, at least 3, or
// 2 where the noise is known from 10 runs and more.
[[nodiscard]] unsigned end_runs_for(double shift, double noise_runs);

enum class RunReason { ends, reference, information, verification };
[[nodiscard]] const char* reason_name(RunReason reason);

struct BisectRun {
  std::size_t commit = 0;
  unsigned runs = 0;
  RunReason reason = RunReason::ends;
  double bits = 0;  // expected, of RunReason::information
};

// How two commits' runs compare.
struct PairEvidence {
  std::size_t parent = 0;
  std::size_t commit = 0;
  double difference = 0;  // commit - parent
  double error = 0;       // standard error of that
  double p = 1;
};

struct BisectAnswer {
  enum class Kind {
    culprit,        // one commit, with at least the wanted posterior
    one_of,         // commits that cannot be told apart, or could not within the budget
    no_difference,  // the ends do not differ: refused, `pair` is the evidence
  };
  Kind kind = Kind::no_difference;
  CommitSet commits;      // where the culprit is, with its posterior
  bool verified = false;  // parent and culprit (the commits around the set) differ by the test
  bool complete = false;  // the wanted posterior was reached within the budget
  PairEvidence pair;      // of these two; of the ends for no_difference
};

struct BisectStep {
  BisectPosterior posterior;
  std::variant<BisectRun, BisectAnswer> next;
};

// By information per cost: among the tested commits and, in each gap that may hold the culprit, the untested
// ones nearest its half (and the nearest with a build), the commit and number of runs with the most expected
// bits about "c is at or before it" per unit of cost. Before: the ends, until they differ. Between: an end
// with too small a share of all runs. After: runs of the culprit and its parent until the test tells them
// apart (or its budget is spent). Commits between which all were skipped are one.
[[nodiscard]] BisectStep bisect_step(const BisectState& state, const BisectModel& model,
                                     const BisectOptions& options);

[[nodiscard]] PairEvidence compare_pair(const BisectState& state, const BisectModel& model,
                                        const BisectOptions& options, const BisectPosterior& posterior,
                                        std::size_t parent, std::size_t commit);

}  // namespace kilter::analyse
